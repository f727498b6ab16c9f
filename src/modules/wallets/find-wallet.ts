import type { Executor } from '#lib/database.ts';
import { selectByNuban, selectByReference, selectOfAccount, type WalletParts } from './store.ts';
import { walletNotFound } from './wallet-view.ts';

/** What is needed of a wallet to move its money. */
export interface FoundWallet {
  reference: string;
  partnerId: string;
  /** The ledger account. */
  account: number;
}

/** A wallet of this partner, also one that is revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWallet(
  db: Executor,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<FoundWallet> {
  return found(await selectByReference(db, { partnerId, reference }));
}

/** The wallet of an account number, also one that is revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWalletByNuban(db: Executor, nuban: string): Promise<FoundWallet> {
  return found(await selectByNuban(db, { nuban }));
}

/** The customer to whom the wallet of an account number belongs, also one that is revoked. */
export async function findHolderOfNuban(db: Executor, nuban: string): Promise<string | undefined> {
  return (await selectByNuban(db, { nuban }))?.wallet.customerId ?? undefined;
}

/** The wallet of a ledger account, of any partner, also one that is revoked; undefined for an account of no wallet. */
export async function findWalletOfAccount(db: Executor, account: number): Promise<FoundWallet | undefined> {
  const parts = await selectOfAccount(db, { accountId: account });
  return parts && found(parts);
}

function found(parts: WalletParts | undefined): FoundWallet {
  if (parts === undefined) throw walletNotFound();
  const { reference, partnerId, accountId } = parts.wallet;
  return { reference, partnerId, account: accountId };
}
