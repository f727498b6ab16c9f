import { DAY_MS, empties, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'disputes.dispute',
    kept: 'for ever',
    why: 'the books: it may have moved money',
  },
  {
    table: 'disputes.evidence',
    kept: 'for ever; what was said, six years after the decision',
    why: 'so long it can be taken to court (Limitation Law of Lagos State, section 8)',
    forget: {
      said: empties(
        {
          table: 'disputes.evidence',
          by: 'created_at',
          afterMs: 6 * 366 * DAY_MS,
          where: `t.said_sealed is not null and exists (select from disputes.dispute d where d.id = t.dispute_id and d.decided_at < $1)`,
        },
        ['said_sealed'],
      ),
    },
  },
];
