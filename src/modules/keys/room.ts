import type { Retention, Room } from '#lib/room.ts';
import { sealedColumns } from './generate-keys.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'signing_keys.signing_key',
    kept: 'for ever; the private key until it signs no more',
    why: 'what it signed is verified by it',
  },
  {
    table: 'data_keys.data_key',
    kept: 'for ever',
    why: 'values are sealed under it; "paytag keys" retires it',
  },
  {
    table: 'installation.stamp',
    kept: 'for ever',
    why: 'one row: what this installation is',
  },
];

export const room: Room = {
  retention,
  sealedColumns,
};
