import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type Account, findNamed, historyOf } from '#modules/ledger';
import { selectByCustomer, selectByReference } from './store.ts';
import { transferReference } from './transfer-posting.ts';
import { toTransaction, type WalletTransaction } from './wallet-transaction.ts';
import { walletNotFound } from './wallet-view.ts';

/** The entries of a wallet are numbered: a page begins where its number says. */
type Page = PageRequest<number>;

/** Newest first, each with the wallet's balance before and after. */
export type History = Listed<WalletTransaction, number>;

/** The transactions of a partner's wallet. @throws DomainError WALLET_NOT_FOUND, also for a wallet of another partner */
export async function getWalletHistory(
  db: Executor,
  keyring: Keyring,
  { partnerId, reference, ...page }: { partnerId: string; reference: string } & Page,
): Promise<History> {
  const parts = await selectByReference(db, keyring, { partnerId, reference });
  if (parts === undefined) throw walletNotFound();
  return pageOf(db, parts.account, page, partnerId);
}

/** The transactions of a customer's wallet at a partner, as the customer may see them. @throws DomainError WALLET_NOT_FOUND */
export async function getCustomerHistory(
  db: Executor,
  keyring: Keyring,
  { partnerId, customerId, ...page }: { partnerId: string; customerId: string } & Page,
): Promise<History> {
  const parts = await selectByCustomer(db, keyring, { partnerId, customerId });
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
export function partOf<Item>(found: readonly Item[], { limit, offset, cursor = 0 }: Page): Listed<Item, number> {
  const begin = cursor + offset;
  const end = begin + limit;
  const next = limit > 0 && end < found.length ? end : undefined;
  return { items: found.slice(begin, end), count: found.length, countIsExact: true, next };
}

async function pageOf(
  db: Executor,
  account: Pick<Account, 'id' | 'version'>,
  page: Page,
  readerPartnerId?: string,
): Promise<History> {
  const { limit, offset, cursor = account.version + 1 } = page;
  const movements = await historyOf(db, account, { limit, offset: account.version + 1 - cursor + offset });
  const last = movements.at(-1)?.entry.version ?? 1;
  return {
    items: movements.map((movement) => toTransaction(movement, readerPartnerId)),
    count: account.version,
    countIsExact: true,
    next: last > 1 ? last : undefined,
  };
}
