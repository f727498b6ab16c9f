import { countOfWaiting } from '#lib/waiting.ts';

/** Disputes that nobody has decided or answered for yet; `since` is when the first of them has to be answered. */
export const openDisputes = countOfWaiting(
  'disputes.open',
  `select respond_by as at from disputes.dispute where state = 'OPEN' and respond_by <= coalesce($1::timestamptz, 'infinity')`,
);
