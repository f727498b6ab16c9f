import { countOfWaiting } from '#lib/postgres/lists.ts';

/** Disputes that nobody has decided or answered for yet; of those to be answered until a moment, where one is given. */
export const openDisputes = countOfWaiting(
  'disputes.open',
  `select created_at as at from disputes.dispute where state = 'OPEN' and respond_by <= coalesce($1::timestamptz, 'infinity')`,
);
