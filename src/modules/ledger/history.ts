import { and, desc, eq, gte, lte, type Placeholder, type SQL, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { type Given, prepared } from '#lib/prepared.ts';
import type { Account } from './accounts.ts';
import { archivedError, carriedOf } from './archived.ts';
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
 * however long the history is: among the last of them, and where they are not all there, among those before. `version` is the number of entries. Where the oldest are archived it ends with those that are there.
 *
 * @throws DomainError PERIOD_ARCHIVED for a page that begins among those that are archived
 */
export async function historyOf(
  db: Executor,
  { id, version }: Pick<Account, 'id' | 'version'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<Movement[]> {
  const last = version - offset;
  const first = Math.max(1, last - limit + 1);
  const found = await selectMovements(db, { account: id, first, last });
  const earlier = last - found.length;
  if (limit > 0 && earlier >= first) found.push(...(await selectEarlier(db, { account: id, first, last: earlier })));
  if (found.length > 0 || limit <= 0 || last < 1) return found;
  const carried = await carriedOf(db, id);
  if (carried !== undefined && last < carried.version) throw archivedError('this page is too old', carried.until);
  return found;
}

/** So much of what moved an account last is looked at first. */
const RECENT = sql.raw(`interval '31 days'`);
/** By which times of old books may run ahead of numbers. */
const AHEAD = sql.raw(`interval '1 hour'`);
const lastOf = (id: Placeholder): SQL => sql`(select moved_at from ledger.account where id = ${id})`;

/** Entries by their numbers, of a time: only the parts of that time are looked into. */
const selectOf = (name: string, during: (id: Placeholder) => SQL) =>
  prepared(name, (db, given: Given<{ account: number; first: number; last: number }>) =>
    db
      .select({ transaction, entry })
      .from(entry)
      .innerJoin(transaction, eq(transaction.id, entry.transactionId))
      .where(
        and(
          eq(entry.accountId, given.account),
          gte(entry.version, given.first),
          lte(entry.version, given.last),
          during(given.account),
        ),
      )
      .orderBy(desc(entry.version)),
  );

const selectMovements = selectOf(
  'ledger.history',
  (id) => sql`${entry.createdAt} <= ${lastOf(id)} + ${AHEAD} and ${entry.createdAt} >= ${lastOf(id)} - ${RECENT}`,
);
const selectEarlier = selectOf('ledger.history-before', (id) => sql`${entry.createdAt} < ${lastOf(id)} - ${RECENT}`);
