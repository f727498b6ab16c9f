import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'rail_comparisons.comparison',
    kept: 'for ever',
    why: 'evidence that a day was compared: a row a day and provider',
  },
];
