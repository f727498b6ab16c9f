import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { findWalletAccount, type Lien, listLiens, listOpenHolds, type OpenHold } from '#modules/ledger';
import { walletNotFound } from './wallet-view.ts';

/** The account of a wallet of any partner. @throws DomainError WALLET_NOT_FOUND */
export async function accountOfWallet(db: Executor, reference: string): Promise<{ id: number; version: number }> {
  const account = await findWalletAccount(db, reference);
  if (account === undefined) throw walletNotFound();
  return account;
}

/** What of a wallet's money is set aside at this moment, newest first. @throws DomainError WALLET_NOT_FOUND */
export async function listWalletHolds(
  db: Executor,
  { reference, ...page }: { reference: string } & PageRequest<number>,
): Promise<Listed<OpenHold, number>> {
  return listOpenHolds(db, (await accountOfWallet(db, reference)).id, page);
}

/** The liens of a wallet, those that were lifted too, newest first. @throws DomainError WALLET_NOT_FOUND */
export async function listWalletLiens(
  db: Executor,
  { reference, ...page }: { reference: string } & PageRequest<number>,
): Promise<Listed<Lien, number>> {
  return listLiens(db, (await accountOfWallet(db, reference)).id, page);
}
