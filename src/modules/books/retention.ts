import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'books.day_total',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'books.hour_total',
    kept: 'for ever',
    why: 'the books: few rows for each hour',
  },
  {
    table: 'books.partner_day_total',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'books.totalled',
    kept: 'for ever',
    why: 'one row: how far they are added up',
  },
];
