import { empties, type Retention, TWO_YEARS_MS } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'reconciliation.import',
    kept: 'for ever',
    why: 'evidence of what was reconciled',
  },
  {
    table: 'reconciliation.item',
    kept: 'for ever; what the bank said, two years after it was imported, once it is closed',
    why: 'for an audit of the year and of that before',
    forget: {
      said: empties(
        {
          table: 'reconciliation.item',
          by: 'created_at',
          afterMs: TWO_YEARS_MS,
          where: `t.said_sealed is not null and t.status in ('MATCHED', 'REPEATED', 'RESOLVED')`,
        },
        ['said_sealed'],
      ),
    },
  },
];
