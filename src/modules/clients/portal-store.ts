import { preparedText } from '#lib/postgres/prepared.ts';

/** A link, if it was closed. */
export const selectClosed = preparedText<{ id: Buffer }>(
  'partners.closed-portal-link',
  'select id from partners.closed_portal_link where id = $1',
);

/** Notes that a link was closed, and when it would have ended. */
export const insertClosed = preparedText(
  'partners.close-portal-link',
  'insert into partners.closed_portal_link (id, expires_at) values ($1, $2) on conflict (id) do nothing',
  { writes: true },
);
