import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { type DailyLimit, type DailyLimits, dailyLimitAt } from './daily-limit.ts';
import { selectByCustomer } from './store.ts';
import { walletNotFound } from './view-wallet.ts';

/** What a customer may spend today of her wallet at a partner. @throws DomainError WALLET_NOT_FOUND */
export async function getDailyLimit(
  { db, dailyLimits, clock }: { db: Database; dailyLimits: DailyLimits; clock: Clock },
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<DailyLimit> {
  const parts = await selectByCustomer(db, partnerId, customerId);
  if (parts === undefined) throw walletNotFound();
  return dailyLimitAt(parts.account, parts.wallet.tier, dailyLimits, clock.now());
}
