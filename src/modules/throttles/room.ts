import type { Room } from '#lib/room.ts';
import { deletes, type Retention } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'throttles.counter',
    kept: 'until its window ends',
    why: 'what is counted by it is over',
    forget: { rows: deletes({ table: 'throttles.counter', by: 'expires_at', afterMs: 0 }) },
  },
];

export const room: Room = { retention };
