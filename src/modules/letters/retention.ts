import { DAY_MS, deletes, empties, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'letters.letter',
    kept: '90 days after what it tells of; the address until it is sent or given up, a secret until its link has shown it or has expired',
    why: 'that an owner was told can be shown',
    forget: {
      rows: deletes({ table: 'letters.letter', by: 'happened_at', afterMs: 90 * DAY_MS }),
      secrets: empties(
        { table: 'letters.letter', by: 'link_until', afterMs: 0, where: 't.secret_sealed is not null' },
        ['secret_sealed'],
      ),
    },
  },
  {
    table: 'letters.proven_contact',
    kept: 'as long as its owner keeps the address',
    why: 'new secrets go to no other address',
  },
];
