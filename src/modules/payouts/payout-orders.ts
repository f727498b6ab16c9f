import type { Pool } from 'pg';
import { type Meter, noMeter } from '#lib/meter.ts';
import { createPostingCall, type PostingResult } from '#modules/ledger';
import type { PayoutRow } from './store.ts';

/** A payout as it is ordered. */
type NewPayout = Pick<
  PayoutRow,
  | 'partnerId'
  | 'wallet'
  | 'provider'
  | 'amount'
  | 'providerReference'
  | 'bankCode'
  | 'bankName'
  | 'accountNumberSealed'
  | 'accountNameSealed'
  | 'accountIndex'
> & { now: Date };

/** Places orders of payouts. What comes at the same time shares a database transaction; no partner waits for another's wallets. */
export interface PayoutOrders {
  /**
   * Has the ledger hold what a payout takes, and stores the payout to be sent now: both or neither, in one round trip.
   *
   * @param posting what `Poster.json` gave
   * @throws DomainError BUSY when too many wait already
   */
  place(posting: string, order: NewPayout): Promise<PostingResult>;
}

export function createPayoutOrders(pool: Pool, metrics: Meter = noMeter): PayoutOrders {
  const call = createPostingCall(pool, { name: 'payouts.order_all', poolShare: 0.5, metrics });
  return {
    async place(posting, { accountNumberSealed, accountNameSealed, accountIndex, amount, ...more }) {
      const sealed = {
        accountNumberSealed: accountNumberSealed.toString('base64'),
        accountNameSealed: accountNameSealed.toString('base64'),
        accountIndex: accountIndex.toString('base64'),
      };
      const member = JSON.stringify({ ...more, ...sealed, amount: String(amount) });
      return call(more.partnerId, `${member.slice(0, -1)},"posting":${posting}}`);
    },
  };
}
