import { countOfWaiting } from '#lib/postgres/lists.ts';

/** Payouts of which nobody knows whether the money left. */
export const unknownPayouts = countOfWaiting(
  'payouts.unknown',
  `select coalesce(sent_at, created_at) as at from payouts.payout where state = 'UNKNOWN'`,
);

/** Payouts of which the provider said what cannot be true beside what it said before. */
export const contradictedPayouts = countOfWaiting(
  'payouts.contradicted-count',
  'select created_at as at from payouts.payout where contradiction is not null',
);
