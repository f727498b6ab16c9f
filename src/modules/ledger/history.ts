import { and, desc, eq, gte, lte } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import type { Account } from './accounts.ts';
import { entry, transaction } from './tables.ts';

export type TransactionRow = typeof transaction.$inferSelect;
export type EntryRow = typeof entry.$inferSelect;

/** A transaction, with what it did to one account. */
export interface Movement {
  transaction: TransactionRow;
  entry: EntryRow;
}

/**
 * A page of a strict account's history, newest first. It is found by the numbers of the entries, so that it costs the same
 * however long the history is. `version` is the number of entries.
 */
export async function historyOf(
  db: Executor,
  { id, version }: Pick<Account, 'id' | 'version'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<Movement[]> {
  const last = version - offset;
  return selectMovements(db, { account: id, first: last - limit + 1, last });
}

const selectMovements = prepared(
  'ledger.history',
  (db, given: Given<{ account: number; first: number; last: number }>) =>
    db
      .select({ transaction, entry })
      .from(entry)
      .innerJoin(transaction, eq(transaction.id, entry.transactionId))
      .where(and(eq(entry.accountId, given.account), gte(entry.version, given.first), lte(entry.version, given.last)))
      .orderBy(desc(entry.version)),
);
