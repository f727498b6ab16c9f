import type { Resources } from '../../resources.ts';
import { type DailyLimit, dailyLimitAt } from './daily-limit.ts';
import { selectByCustomer } from './store.ts';
import { walletNotFound } from './view-wallet.ts';

/** What a customer may spend today of her wallet at a partner. @throws DomainError WALLET_NOT_FOUND */
export async function getDailyLimit(
  { db, config, clock }: Pick<Resources, 'db' | 'config' | 'clock'>,
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<DailyLimit> {
  const parts = await selectByCustomer(db, partnerId, customerId);
  if (parts === undefined) throw walletNotFound();
  return dailyLimitAt(parts.account, parts.wallet.tier, config, clock.now());
}
