import type { Retention, Room } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'data_keys.data_key',
    kept: 'for ever',
    why: 'values are sealed under it; "paytag keys" retires it',
  },
];

export const room: Room = { retention };
