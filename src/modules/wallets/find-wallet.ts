import type { Executor } from '#lib/database.ts';
import { selectByNuban, selectByReference, selectPrimary, type WalletParts } from './store.ts';
import { walletNotFound } from './wallet-view.ts';

/** What is needed of a wallet to move its money. */
export interface FoundWallet {
  reference: string;
  partnerId: string;
  /** The ledger account. */
  account: number;
}

/** A wallet of this partner that is not revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWallet(
  db: Executor,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<FoundWallet> {
  return live(await selectByReference(db, partnerId, reference));
}

/** The wallet of an account number that is not revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWalletByNuban(db: Executor, nuban: string): Promise<FoundWallet> {
  return live(await selectByNuban(db, nuban));
}

/** The ledger account of a customer's primary wallet; undefined when the customer has none. */
export async function findPrimaryAccount(db: Executor, customerId: string): Promise<number | undefined> {
  return (await selectPrimary(db, customerId))?.account.id;
}

function live(parts: WalletParts | undefined): FoundWallet {
  if (parts === undefined || parts.wallet.revokedAt !== null) throw walletNotFound();
  const { reference, partnerId, accountId } = parts.wallet;
  return { reference, partnerId, account: accountId };
}
