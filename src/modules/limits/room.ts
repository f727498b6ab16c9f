import type { Room } from '#lib/room.ts';
import { DAY_MS, deletes, type Retention } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'throttles.counter',
    kept: 'until its window ends',
    why: 'after its window a count is zero again',
    forget: { rows: deletes({ table: 'throttles.counter', by: 'expires_at', afterMs: 0 }) },
  },
  {
    table: 'known_addresses.known_address',
    kept: '90 days after its last use',
    why: 'from then on the address is new again',
    forget: { rows: deletes({ table: 'known_addresses.known_address', by: 'last_used_at', afterMs: 90 * DAY_MS }) },
  },
];

export const room: Room = { retention };
