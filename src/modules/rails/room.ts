import type { Retention, Room } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'rail_comparisons.comparison',
    kept: 'for ever',
    why: 'evidence that a day was compared: a row a day and provider',
  },
];

export const room: Room = { retention };
