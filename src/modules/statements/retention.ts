import { DAY_MS, deletes, type Retention, TWO_YEARS_MS } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'statements.paper',
    kept: 'two years after it was given out',
    why: 'whoever is shown one asks for the last months, or for a tax year',
    forget: { rows: deletes({ table: 'statements.paper', by: 'issued_at', afterMs: TWO_YEARS_MS, isImmutable: true }) },
  },
  {
    table: 'statements.requested',
    kept: '30 days',
    why: 'for so long it can be fetched',
    forget: { rows: deletes({ table: 'statements.requested', by: 'created_at', afterMs: 30 * DAY_MS }) },
  },
];
