import {
  asMinor,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Posting,
  type Request,
  systemAccount,
} from '#modules/ledger';
import { type DailyLimits, limitOfTier, type PayingWallet } from '#modules/wallets';

/** What a payout costs, and how much may be spent in a day. */
export interface PayoutRules {
  fees: { payout: Charge; stampDuty: Charge };
  dailyLimits: DailyLimits;
}

interface Paid {
  wallet: Pick<PayingWallet, 'account' | 'partnerId' | 'currency' | 'tier'>;
  /** The least that the rail carries. */
  leastAmount: bigint;
  /** Whether it counts against the customer's daily limit. */
  isLimited: boolean;
}

/** The posting of a payout in naira: the wallet pays fee and stamp duty on top, and the whole amount arrives. */
export function payoutPosting(
  asked: Request,
  { wallet, leastAmount, isLimited }: Paid,
  { fees, dailyLimits }: PayoutRules,
): Posting & { fee: Minor; stampDuty: Minor } {
  const { amount } = asked;
  const fee = chargeOn(amount, fees.payout);
  const stampDuty = chargeOn(amount, fees.stampDuty);
  const charges = asMinor(fee + stampDuty);
  const clearing = systemAccount('CLEARING_PAYOUT', 'NGN');
  const legs: Leg[] = [
    { account: wallet.account, amount: negated(asMinor(amount + charges)), fee: charges },
    { account: clearing, amount },
    { account: systemAccount('FEE', 'NGN'), amount: fee },
    { account: systemAccount('STAMP_DUTY', 'NGN'), amount: stampDuty },
  ];
  return {
    ...asked,
    partner: wallet.partnerId,
    fee,
    stampDuty,
    currency: 'NGN',
    source: wallet.account,
    destination: clearing,
    legs: legs.filter((leg) => leg.amount !== 0n),
    ...(isLimited ? { limitAccount: wallet.account, defaultDailyLimit: limitOfTier(wallet.tier, dailyLimits) } : {}),
    predecidedRefusal: amount < leastAmount ? 'AMOUNT_TOO_SMALL' : undefined,
  };
}
