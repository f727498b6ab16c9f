import { DAY_MS, empties, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'customers.contact_change',
    kept: 'until it is in force, 24 hours later',
    why: 'a code confirmed it',
  },
  {
    table: 'customers.customer',
    kept: 'for ever; of one who was erased the BVN and the name it was verified with, five years',
    why: 'the law has us know whose money it was for so long (MLPPA 2022, section 8; CBN); the row is what their money names',
    forget: {
      'of the erased': empties(
        { table: 'customers.customer', by: 'erased_at', afterMs: 5 * 366 * DAY_MS, where: 't.bvn_sealed is not null' },
        ['bvn_sealed', 'kept_name_sealed'],
      ),
    },
  },
];
