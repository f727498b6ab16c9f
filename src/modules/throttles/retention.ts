import { deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'throttles.counter',
    kept: 'until its window ends',
    why: 'what is counted by it is over',
    forget: { rows: deletes({ table: 'throttles.counter', by: 'expires_at', afterMs: 0 }) },
  },
];
