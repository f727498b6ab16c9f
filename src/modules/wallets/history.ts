import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findNames } from '#modules/customers';
import {
  type Account,
  asMinor,
  findNamed,
  historyOf,
  type Minor,
  type Movement,
  movementsIn,
  pagesOf,
  periodOf,
} from '#modules/ledger';
import { type PartnerWalletView, viewFound, walletNotFound } from './find-wallets.ts';
import { selectByCustomer, selectByReference, selectHoldersOf, selectOfAnyPartner } from './store.ts';
import { transferReference } from './transfer.ts';
import { toTransaction, type WalletTransaction } from './wallet-transaction.ts';

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

/** A transaction as it stands in a statement. */
export interface StatementRow extends WalletTransaction {
  /** The wallet's balance before and after, the fee included. */
  openingBalance: Minor;
  closingBalance: Minor;
  /** The customer who was paid or who paid; undefined where it was not a customer. */
  counterparty: { tag: string; name: string } | undefined;
}

/** What a statement is made of. Amounts are minor units. */
export interface StatementData {
  opening: Minor;
  /** What came in and what went out, unsigned. That opening + credits − debits = closing is left for the reader to check. */
  credits: Minor;
  debits: Minor;
  closing: Minor;
  count: number;
  /** The transactions as the holder may see them, oldest first, in pages that are read one at a time. */
  pages: AsyncIterable<StatementRow[]>;
}

/** A wallet, and what a statement of it is made of. */
export interface WalletStatement extends StatementData {
  partnerId: string;
  /** Null for a wallet of a KYC profile. */
  customerId: string | null;
  holder: PartnerWalletView;
}

/**
 * What happened to a wallet of any partner from one moment until just before another. Whether the caller may see it was
 * checked before. What the books say is read as lists are, also each page.
 *
 * @throws DomainError WALLET_NOT_FOUND, also for a revoked wallet; BUSY, also while `pages` are read
 */
export async function walletStatement(
  { db, keyring, readLong }: { db: Executor; keyring: Keyring; readLong: ReadLong },
  { reference, from, to }: { reference: string; from: Date; to: Date },
): Promise<WalletStatement> {
  const parts = await selectOfAnyPartner(db, keyring, { reference });
  if (parts === undefined || parts.wallet.revokedAt !== null) throw walletNotFound();
  const holder = await viewFound(db, keyring, parts);
  const read: Read = async (query) => readLong(`wallet:${reference}`, query);
  const data = await statementData(read, { account: parts.account, from, to });
  return { ...data, holder, partnerId: parts.wallet.partnerId, customerId: parts.wallet.customerId };
}

/** Runs a read, on whichever connection. */
type Read = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>;

/** What happened to a wallet's account from one moment until just before another. */
export async function statementData(
  read: Read,
  { account, from, to }: { account: Pick<Account, 'id' | 'version'>; from: Date; to: Date },
): Promise<StatementData> {
  const { first, last, ...amounts } = await read(async (db) => periodOf(db, account, { from, to }));
  const pages = async function* () {
    for (const page of pagesOf({ first, last }))
      yield read(async (db) => rowsOf(db, await movementsIn(db, account.id, page)));
  };
  return { ...amounts, count: Math.max(0, last - first + 1), pages: pages() };
}

async function rowsOf(db: Executor, movements: readonly Movement[]): Promise<StatementRow[]> {
  const holders = await selectHoldersOf(db, movements.map(otherAccount));
  const names = await findNames(db, [...new Set(holders.values())]);
  return movements.map((movement) => {
    const { entry } = movement;
    const holder = holders.get(otherAccount(movement));
    return {
      ...toTransaction(movement),
      openingBalance: asMinor(entry.opening ?? 0n),
      closingBalance: asMinor(entry.closing ?? 0n),
      counterparty: holder === undefined ? undefined : names.get(holder),
    };
  });
}

/** The account that the money of a transaction came from, or went to. */
const otherAccount = ({ transaction, entry }: Movement): number =>
  (entry.amount < 0n ? transaction.destinationId : transaction.sourceId) ?? entry.accountId;
