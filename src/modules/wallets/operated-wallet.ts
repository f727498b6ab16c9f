import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import { type Lien, liensOf } from '#modules/ledger';
import { type DailyLimit, type DailyLimits, dailyLimitAt, type Tier } from './daily-limit.ts';
import type { ListedWallet } from './find-wallets.ts';
import { selectOfAnyone } from './store.ts';
import { walletNotFound, withPayTag } from './view-wallet.ts';

/** A wallet of whichever partner, as the operator sees it. */
export interface OperatedWallet extends ListedWallet {
  tier: Tier;
  dailyLimit: DailyLimit;
  /** True when the limit is one that the operator set, not the tier's. */
  hasOwnLimit: boolean;
  /** Those in force, oldest first. */
  liens: Lien[];
}

/** @throws DomainError WALLET_NOT_FOUND */
export async function getOperatedWallet(
  { keyring, dailyLimits, clock }: { keyring: Keyring; dailyLimits: DailyLimits; clock: Clock },
  db: Executor,
  reference: string,
): Promise<OperatedWallet> {
  const parts = await selectOfAnyone(db, reference);
  if (parts === undefined) throw walletNotFound();
  const { wallet, account } = parts;
  return {
    view: await withPayTag(db, keyring, parts),
    partnerId: wallet.partnerId,
    customerId: wallet.customerId ?? undefined,
    isPrimary: wallet.isPrimary,
    tier: wallet.tier,
    dailyLimit: dailyLimitAt(account, wallet.tier, dailyLimits, clock.now()),
    hasOwnLimit: account.dailyLimit !== null,
    liens: await liensOf(db, account.id),
  };
}
