import { type Bound, bounds } from './bounds.ts';

/**
 * What the credentials of a caller take who has not called for a second: all of it in one round trip. An operator's are never
 * remembered, and stand in the bounds of each operation.
 */
const ofCredentials: readonly (readonly [base: string, more: Bound])[] = [
  ['/operator/', [0, 0]],
  ['/v2/partner/', [1, 1]], // the partner
  ['/v2/sso', [3, 1]], // the partner, the keys that signed the token, its session
  ['/v2/sandbox/', [2, 1]], // the partner; or the keys and the application
  ['/api/', [2, 1]], // the keys, the application
];

/** What takes more than that: a provider is asked, which a sandbox may have disturbed, a token whose partner comes first, or the accounts of payouts. */
export const coldBounds: Readonly<Record<string, Bound>> = {
  'POST /v2/partner/paytag': [20, 18],
  'POST /v2/partner/wallet/{reference}/payout': [5, 4],
  'GET /v2/partner/wallet/{reference}/history': [4, 4],
  'GET /v2/sso/transaction': [6, 4],
  'DELETE /v2/sso/token': [5, 4],
  'POST /v2/sso/create-tag': [6, 5],
  'GET /v2/sso/{session}/otp': [14, 7],
  'GET /v2/sso/create-tag/{onboarding}/otp': [14, 7],
  'PUT /v2/sso/contact': [22, 15],
  'POST /v2/sso/wallet/bank-account': [11, 8],
};

/** The same of what moves money of a wallet, when its accounts are not remembered either. */
export const coldestBounds: Readonly<Record<string, Bound>> = {
  'POST /v2/partner/wallet/{reference}/credit': [3, 3],
  'POST /v2/partner/wallet/{reference}/debit': [3, 3],
};

/** What a call of an operation may send to PostgreSQL, at most, when nothing is remembered of who calls. */
export function coldBoundOf(operation: string): Bound {
  const [statements, roundTrips] = bounds[operation] ?? [0, 0];
  const [, more] = ofCredentials.find(([base]) => operation.split(' ')[1]?.startsWith(base)) ?? [];
  if (more === undefined) throw new Error(`nobody says what the credentials of ${operation} take`);
  return coldBounds[operation] ?? [statements + more[0], roundTrips + more[1]];
}
