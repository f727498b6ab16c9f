import type { Retention, Room } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'installation.stamp',
    kept: 'for ever',
    why: 'one row: what this installation is',
  },
];

export const room: Room = { retention };
