import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'tag_transactions.tag_transaction',
    kept: 'for ever',
    why: 'the books',
  },
];
