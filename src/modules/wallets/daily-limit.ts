import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { type Account, asMinor, type Minor, spentOn } from '#modules/ledger';
import { selectByCustomer } from './store.ts';
import type { Tier } from './tables.ts';
import { walletNotFound } from './wallet-view.ts';

/** What each tier allows in a day, in minor units. */
export type DailyLimits = Readonly<Record<Tier, bigint>>;

/** How much a customer may spend in a day in Africa/Lagos, and how much of that is spent. Minor units. */
export interface DailyLimit {
  limit: Minor;
  /** Transfers and holds with their fees, out of all wallets of the customer. */
  spent: Minor;
  remaining: Minor;
}

/** What a tier allows in a day. */
export const limitOfTier = (tier: Tier, dailyLimits: DailyLimits): Minor => asMinor(dailyLimits[tier]);

/** What may be spent from a wallet in a day: its own limit where the operator set one, else its tier's. */
export const dailyLimitOf = (account: Pick<Account, 'dailyLimit'>, tier: Tier, dailyLimits: DailyLimits): Minor =>
  account.dailyLimit === null ? limitOfTier(tier, dailyLimits) : asMinor(account.dailyLimit);

/** The limit on the day of a moment. More than a limit may have been spent before it was lowered: then nothing remains. */
export async function dailyLimitAt(
  db: Executor,
  account: Pick<Account, 'dailyLimit' | 'holderId'>,
  { tier, dailyLimits, at }: { tier: Tier; dailyLimits: DailyLimits; at: Date },
): Promise<DailyLimit> {
  return toDailyLimit(dailyLimitOf(account, tier, dailyLimits), await spentOn(db, account.holderId, at));
}

const toDailyLimit = (limit: Minor, spent: Minor): DailyLimit => ({
  limit,
  spent,
  remaining: asMinor(spent < limit ? limit - spent : 0n),
});

/** What a customer may spend today of their wallet at a partner. @throws DomainError WALLET_NOT_FOUND */
export async function getDailyLimit(
  { db, keyring, dailyLimits, clock }: { db: Database; keyring: Keyring; dailyLimits: DailyLimits; clock: Clock },
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<DailyLimit> {
  const [parts, spent] = await Promise.all([
    selectByCustomer(db, keyring, { partnerId, customerId }),
    spentOn(db, customerId, clock.now()), // the holder of a customer's accounts is the customer
  ]);
  if (parts === undefined) throw walletNotFound();
  return toDailyLimit(dailyLimitOf(parts.account, parts.wallet.tier, dailyLimits), spent);
}
