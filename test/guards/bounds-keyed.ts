import type { Bound } from './bounds.ts';

/**
 * What moves money, with an Idempotency-Key, of a caller who called less than a second ago. The key is reserved before anything is
 * looked at, since a repetition is answered as the first was, whatever has become of what it names; and the answer is stored
 * after the commit: two round trips more than without. Where there is no reference of the caller's, the commit says besides
 * whose run it is of, in a transaction that goes out together.
 */
export const keyedBounds: Readonly<Record<string, Bound>> = {
  'POST /v2/partner/wallet/{reference}/credit': [3, 3],
  'POST /v2/partner/wallet/{reference}/debit': [3, 3],
  'POST /v2/partner/transaction/{reference}/refund': [4, 4],
  'POST /v2/partner/wallet/{reference}/payout': [5, 4],
  'POST /v2/sso/transaction': [4, 4],
  'POST /v2/sso/payout': [6, 4],
  'POST /api/v1/transactions': [7, 4],
  'POST /api/v1/transactions/{id}/accept': [8, 4],
  'POST /api/v1/transactions/{id}/reject': [8, 4],
  'POST /api/v1/transactions/{id}/cancel': [8, 4],
};
