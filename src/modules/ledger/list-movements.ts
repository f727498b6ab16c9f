import { and, desc, eq, gte, lt, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import {
  COUNTED_MAX,
  type Count,
  isPast,
  type Listed,
  OFFSET_MAX,
  type PageRequest,
  pageOfRows,
  shaped,
} from '#lib/postgres/lists.ts';
import type { TransactionWithEntry } from './find-transaction.ts';
import { historyOf } from './history.ts';
import { asked, given, isOneOf, row, STORED_AS, type TransactionFilter } from './list-transactions.ts';
import { entry, transaction } from './tables.ts';

/** Entries that are looked at for one page, or for one count, at most. */
const SCANNED_MAX = 10_000;

const moved = alias(entry, 'm');

/** A strict account: `version` is the number of its last entry. */
interface MovedAccount {
  id: number;
  version: number;
}

/**
 * What moved an account, newest first: by the numbers of its entries, so that a page costs the same however long the history
 * is. A time is that of the movement. When few match, a page may hold fewer than were asked for, and `next` all the same.
 *
 * @throws DomainError INVALID_PARAMETER when the offset is so large that only a cursor gets there
 */
export async function listMovements(
  db: Executor,
  account: MovedAccount,
  filter: TransactionFilter,
  { limit, offset, cursor = account.version + 1, isUncounted }: PageRequest<number>,
): Promise<Listed<TransactionWithEntry, number>> {
  const last = cursor - 1;
  const matches = matchesOf(filter);
  if (matches === undefined) {
    const rows = await historyOf(db, { ...account, version: last }, { limit: limit + 1, offset });
    return {
      ...pageOfRows<TransactionWithEntry, number>(rows, limit, keyOf),
      count: account.version,
      countIsExact: true,
    };
  }
  if (offset > OFFSET_MAX) {
    const counted = await countMatching(db, account, matches);
    if (isPast(counted, offset)) return { items: [], ...counted, next: undefined };
  }
  const first = Math.max(1, last - SCANNED_MAX - offset - limit + 1);
  const [counted, rows] = await Promise.all([
    isUncounted ? { count: 0, countIsExact: true } : countMatching(db, account, matches),
    selectMatching(db, { accountId: account.id, first, last, matches, limit: limit + 1, offset }),
  ]);
  const { items, next } = pageOfRows(rows, limit, keyOf);
  return { items, ...counted, next: next ?? (first > 1 ? first : undefined) };
}

const keyOf = ({ entry: one }: TransactionWithEntry): number => one?.version ?? 0;

function matchesOf(filter: TransactionFilter): SQL | undefined {
  const { partnerId, status, externalReference, from, to } = filter;
  return and(
    given(from, (moment) => gte(moved.createdAt, moment)),
    given(to, (moment) => lt(moved.createdAt, moment)),
    given(partnerId, (id) => eq(row.partnerId, id)),
    given(externalReference, (name) => eq(row.externalReference, name)),
    given(status, (shown) => isOneOf(STORED_AS[shown])),
    asked(filter),
  );
}

/** The entries of some numbers, each with its transaction: looked up one by one, since what is joined may be read whole. */
const entriesIn = (accountId: number, first: number, last: number): SQL => sql`${entry} ${moved}
  cross join lateral (select ${row}.* from ${transaction} ${row} where ${row.id} = ${moved.transactionId} offset 0) ${row}
  where ${moved.accountId} = ${accountId} and ${moved.version} between ${first} and ${last}`;

function selectMatching(
  db: Executor,
  page: { accountId: number; first: number; last: number; matches: SQL; limit: number; offset: number },
): Promise<TransactionWithEntry[]> {
  const { accountId, first, last, matches, limit, offset } = page;
  const keys = sql`select ${moved.version} from ${entriesIn(accountId, first, last)} and ${matches}
    order by ${moved.version} desc limit ${limit} offset ${offset}`;
  const rows = db
    .select({ transaction, entry })
    .from(entry)
    .innerJoin(transaction, eq(transaction.id, entry.transactionId))
    .where(and(eq(entry.accountId, accountId), sql`${entry.version} = any(array(${keys}))`))
    .orderBy(desc(entry.version));
  return shaped(db, 'movements.page', rows);
}

/** Of more than ten thousand entries, the share of those that match among the newest is taken for that of all. */
async function countMatching(db: Executor, { id, version }: MovedAccount, matches: SQL): Promise<Count> {
  const [counted] = await shaped<{ matching: number }>(
    db,
    'movements.count',
    sql`select count(*)::int as matching from ${entriesIn(id, Math.max(1, version - COUNTED_MAX + 1), version)} and ${matches}`,
  );
  const matching = counted?.matching ?? 0;
  if (version <= COUNTED_MAX) return { count: matching, countIsExact: true };
  return { count: Math.round((version * matching) / COUNTED_MAX), countIsExact: false };
}
