import { DAY_MS, empties, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'applications.application',
    kept: 'for ever; the address and picture of whoever registered one that nobody approved, 90 days',
    why: 'its tags, claims and money name it',
    forget: {
      registrants: empties(
        {
          table: 'applications.application',
          by: 'created_at',
          afterMs: 90 * DAY_MS,
          where: `t.status = 'PENDING' and not t.built_in and (t.email_sealed is not null or t.image_url is not null)`,
        },
        ['email_sealed', 'image_url'],
      ),
    },
  },
  {
    table: 'applications.subject',
    kept: 'as long as its application',
    why: 'tags and claims name it',
  },
];
