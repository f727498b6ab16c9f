import { type Account, asMinor, type Minor, spentOn } from '#modules/ledger';

/** 1: kept for a KYC profile; 2: for a customer, whose BVN is verified; 3: by decision of the operator. */
export type Tier = 1 | 2 | 3;

/** What each tier allows in a day, in minor units. */
export type DailyLimits = Readonly<Record<Tier, bigint>>;

/** What a customer may spend of a wallet in a day in Africa/Lagos, and how much of it she has. Minor units. */
export interface DailyLimit {
  limit: Minor;
  /** Transfers and holds with their fees. */
  spent: Minor;
  remaining: Minor;
}

/** What a tier allows in a day. */
export const limitOfTier = (tier: Tier, dailyLimits: DailyLimits): Minor => asMinor(dailyLimits[tier]);

/** What a wallet may spend in a day: its own limit where the operator set one, else its tier's. */
const dailyLimitOf = (account: Pick<Account, 'dailyLimit'>, tier: Tier, dailyLimits: DailyLimits): Minor =>
  account.dailyLimit === null ? limitOfTier(tier, dailyLimits) : asMinor(account.dailyLimit);

/** The limit on the day of a moment. What was spent before a limit was lowered may be more than it: nothing remains. */
export function dailyLimitAt(
  account: Pick<Account, 'dailyLimit' | 'spentDay' | 'spent'>,
  tier: Tier,
  dailyLimits: DailyLimits,
  at: Date,
): DailyLimit {
  const limit = dailyLimitOf(account, tier, dailyLimits);
  const spent = spentOn(account, at);
  return { limit, spent, remaining: asMinor(spent < limit ? limit - spent : 0n) };
}
