import { deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'partners.api_key',
    kept: 'for ever',
    why: 'which keys there were, and since when not: digests',
  },
  {
    table: 'partners.closed_portal_link',
    kept: 'until the link would have expired by itself, within the hour',
    why: 'closed links open nothing',
    forget: {
      rows: deletes({ table: 'partners.closed_portal_link', by: 'expires_at', afterMs: 0, isImmutable: true }),
    },
  },
  {
    table: 'partners.partner',
    kept: 'for ever',
    why: 'the books name it',
  },
];
