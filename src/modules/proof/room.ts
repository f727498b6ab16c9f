import type { Retention, Room } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'seals.seal',
    kept: 'for ever',
    why: 'evidence: each seal vouches for all before it',
  },
  {
    table: 'integrity.run',
    kept: 'for ever',
    why: 'evidence that the books were checked: some 9,000 rows a year',
  },
];

export const room: Room = { retention };
