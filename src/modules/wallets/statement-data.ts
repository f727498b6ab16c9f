import type { Executor } from '#lib/database.ts';
import { findHandles } from '#modules/customers';
import { type Account, asMinor, type Minor, type Movement, movementsIn, periodOf } from '#modules/ledger';
import { selectHoldersOf } from './store.ts';
import { type Transaction, toTransaction } from './transaction.ts';

/** A transaction as it stands in a statement. */
export interface StatementRow extends Transaction {
  /** The wallet's balance before and after, the fee included. */
  openingBalance: Minor;
  closingBalance: Minor;
  /** The PayTag of who was paid, or who paid, where that was a customer. */
  counterparty: string | undefined;
}

/** What a statement tells. Amounts are minor units. */
export interface StatementData {
  opening: Minor;
  /** What came in and what went out, unsigned. Opening + credits − debits = closing is for the reader to see. */
  credits: Minor;
  debits: Minor;
  closing: Minor;
  count: number;
  /** The transactions, oldest first, as the holder may see them, in pages; read while they are asked for. */
  pages: AsyncIterable<StatementRow[]>;
}

/** What happened to a wallet's account from one moment until just before another. */
export async function statementData(
  db: Executor,
  { account, from, to }: { account: Pick<Account, 'id' | 'version'>; from: Date; to: Date },
): Promise<StatementData> {
  const { first, last, ...amounts } = await periodOf(db, account, { from, to });
  const pages = async function* () {
    for await (const movements of movementsIn(db, account.id, { first, last })) yield rowsOf(db, movements);
  };
  return { ...amounts, count: Math.max(0, last - first + 1), pages: pages() };
}

async function rowsOf(db: Executor, movements: readonly Movement[]): Promise<StatementRow[]> {
  const holders = await selectHoldersOf(db, movements.map(otherAccount));
  const handles = await findHandles(db, [...new Set(holders.values())]);
  return movements.map((movement) => {
    const { entry } = movement;
    const holder = holders.get(otherAccount(movement));
    return {
      ...toTransaction(movement),
      openingBalance: asMinor(entry.opening ?? 0n),
      closingBalance: asMinor(entry.closing ?? 0n),
      counterparty: holder === undefined ? undefined : handles.get(holder),
    };
  });
}

/** The account that the money of a transaction came from, or went to. */
const otherAccount = ({ transaction, entry }: Movement): number =>
  (entry.amount < 0n ? transaction.destinationId : transaction.sourceId) ?? entry.accountId;
