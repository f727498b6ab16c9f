import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'payments.payment',
    kept: 'for ever',
    why: 'the books: from whom the money came',
  },
];
