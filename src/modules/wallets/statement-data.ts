import { type Account, type Minor, movementsIn, periodOf } from '#modules/ledger';
import type { Executor } from '../../lib/database.ts';
import { type Transaction, toTransaction } from './transaction.ts';

/** What a statement tells. Amounts are minor units. */
export interface StatementData {
  opening: Minor;
  /** What came in and what went out, unsigned: opening + credits − debits = closing. */
  credits: Minor;
  debits: Minor;
  closing: Minor;
  count: number;
  /** The transactions, oldest first, as the holder may see them; read while they are asked for. */
  rows: AsyncIterable<Transaction>;
}

/** What happened to a wallet's account from one moment until just before another. */
export async function statementData(
  db: Executor,
  { account, from, to }: { account: Pick<Account, 'id' | 'version'>; from: Date; to: Date },
): Promise<StatementData> {
  const { first, last, ...amounts } = await periodOf(db, account, { from, to });
  const rows = async function* () {
    for await (const movement of movementsIn(db, account.id, { first, last })) yield toTransaction(movement);
  };
  return { ...amounts, count: Math.max(0, last - first + 1), rows: rows() };
}
