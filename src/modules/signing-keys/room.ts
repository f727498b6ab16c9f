import type { Retention, Room } from '#lib/room.ts';
import { sealedColumns } from './generate-keys.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'signing_keys.signing_key',
    kept: 'for ever; the private key until it signs no more',
    why: 'what it signed is verified by it',
  },
];

export const room: Room = { retention, sealedColumns };
