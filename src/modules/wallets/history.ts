import type { Executor } from '#lib/database.ts';
import { type Account, findNamed, historyOf } from '#modules/ledger';
import { selectByCustomer, selectByReference } from './store.ts';
import { transferReference } from './transfer-posting.ts';
import { toTransaction, type WalletTransaction } from './wallet-transaction.ts';
import { walletNotFound } from './wallet-view.ts';

interface Page {
  limit: number;
  offset: number;
}

export interface History {
  /** Newest first, each with the wallet's balance before and after. */
  items: WalletTransaction[];
  count: number;
}

/** The transactions of a partner's wallet. @throws DomainError WALLET_NOT_FOUND, also for a wallet of another partner */
export async function getWalletHistory(
  db: Executor,
  { partnerId, reference, ...page }: { partnerId: string; reference: string } & Page,
): Promise<History> {
  const parts = await selectByReference(db, { partnerId, reference });
  if (parts === undefined) throw walletNotFound();
  return pageOf(db, parts.account, page, partnerId);
}

/** The transactions of a customer's wallet at a partner, as the customer may see them. @throws DomainError WALLET_NOT_FOUND */
export async function getCustomerHistory(
  db: Executor,
  { partnerId, customerId, ...page }: { partnerId: string; customerId: string } & Page,
): Promise<History> {
  const parts = await selectByCustomer(db, { partnerId, customerId });
  if (parts === undefined) throw walletNotFound();
  return pageOf(db, parts.account, page);
}

/**
 * The transfer that a customer made at a partner under a reference of theirs, a declined one too: as a page of a list that
 * has this one or none.
 */
export async function findCustomerTransfer(
  db: Executor,
  {
    partnerId: partner,
    customerId: owner,
    reference,
    ...page
  }: { partnerId: string; customerId: string; reference: string } & Page,
): Promise<History> {
  const references = [transferReference(owner, reference)];
  const found = await findNamed(db, { owner, partner, references, namers: ['CUSTOMER'] });
  return partOf(
    found.map((one) => toTransaction(one, partner)),
    page,
  );
}

/** A page of all that was found. */
export const partOf = <Item>(found: readonly Item[], { limit, offset }: Page): { items: Item[]; count: number } => ({
  items: found.slice(offset, offset + limit),
  count: found.length,
});

async function pageOf(db: Executor, account: Account, page: Page, readerPartnerId?: string): Promise<History> {
  const movements = await historyOf(db, account, page);
  return { items: movements.map((movement) => toTransaction(movement, readerPartnerId)), count: account.version };
}
