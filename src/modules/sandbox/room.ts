import type { Retention, Room } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'sandbox.counterpart',
    kept: 'for ever',
    why: 'one row; none in live',
  },
  {
    table: 'sandbox.disturbance',
    kept: 'until it is used up',
    why: 'one row for each owner and provider; none in live',
  },
  {
    table: 'sandbox.hook_request',
    kept: 'until a hundred later ones of the same owner',
    why: 'enough to look at; none in live',
  },
];

export const room: Room = { retention };
