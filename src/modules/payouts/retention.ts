import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'payouts.payout',
    kept: 'for ever',
    why: 'the books: where the money went',
  },
];
