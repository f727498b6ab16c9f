import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findNames } from '#modules/customers';
import { type Account, asMinor, type Minor, type Movement, movementsIn, pagesOf, periodOf } from '#modules/ledger';
import { selectHoldersOf, selectOfAnyPartner } from './store.ts';
import { toTransaction, type WalletTransaction } from './wallet-transaction.ts';
import { type PartnerWalletView, viewFound, walletNotFound } from './wallet-view.ts';

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
