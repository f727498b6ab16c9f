import { and, desc, eq, gte, lt, lte, or, type SQL, sql } from '#drizzle';
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
  pageOfWalk,
  shaped,
  type Walk,
} from '#lib/postgres/lists.ts';
import { HIDDEN_TYPES, historyOf, type TransactionRow, type TransactionWithEntry } from './find-transaction.ts';
import type { Currency, Minor } from './money.ts';
import type { Namer, TransactionType } from './posting.ts';
import { account, entry, transaction } from './tables.ts';

/** The status that readers see: a held two-step posting is Pending. */
export type ShownStatus = 'Pending' | 'Successful' | 'Failed' | 'Reversed';

const STORED_AS: Readonly<Record<ShownStatus, readonly TransactionRow['status'][]>> = {
  Pending: ['Pending', 'Held'],
  Successful: ['Successful'],
  Failed: ['Failed', 'Voided'],
  Reversed: ['Reversed'],
};

/** Whether readers see a transaction in this status. */
export const isShownAs = ({ status }: Pick<TransactionRow, 'status'>, shown: ShownStatus): boolean =>
  STORED_AS[shown].includes(status);

/** Which transactions to list; absent members do not filter. */
export interface TransactionFilter {
  /** The partner in whose books they are. */
  partnerId?: string | undefined;
  /** Who owns the reference: an application. */
  applicationId?: string | undefined;
  namer?: Namer | undefined;
  type?: TransactionType | undefined;
  status?: ShownStatus | undefined;
  /** The code of the refusal. */
  failureReason?: string | undefined;
  currency?: Currency | undefined;
  externalReference?: string | undefined;
  /** The principal: at least, and at most. */
  amountFrom?: Minor | undefined;
  amountTo?: Minor | undefined;
  /** Created at or after `from`, and before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The alias of transactions in every statement here. */
const row = alias(transaction, 'x');

/**
 * The transactions of all partners and our own, declined ones included, newest first; each with the entry of the first wallet
 * that it moved, or of the float, where it moved between a float and us. `count` is of all that match.
 *
 * @param wallet an account: the transactions that it was to pay or receive, with the status `Failed` or `Pending`
 */
export async function listTransactions(
  db: Executor,
  filter: TransactionFilter,
  page: PageRequest<number>,
  wallet?: number,
): Promise<Listed<TransactionWithEntry, number>> {
  return pageOfWalk(db, walkOf(filter, wallet), page, {
    rows: (keys) => selectShown(db, keys),
    keyOf: (one) => one.transaction.id,
  });
}

/** Rare statuses, partners and external references have indexes; other filters scan. */
function walkOf(filter: TransactionFilter, wallet?: number): Walk {
  const { partnerId, status, externalReference, from, to } = filter;
  const ways = indexedConditions(status, wallet);
  const ofPartner = given(partnerId, (id) => eq(row.partnerId, id));
  const isExternal = given(externalReference, (name) => eq(row.externalReference, name));
  const best = ways === undefined ? (isExternal ?? ofPartner) : undefined;
  const rest = [ofPartner, isExternal].filter((one) => one !== best);
  return {
    name: 'transactions',
    filter: { ...filter, wallet },
    table: transaction,
    row,
    key: row.id,
    within: and(
      best,
      given(from, (moment) => gte(row.id, idAt(moment, -TRANSACTION_MAX_MS))),
      given(to, (moment) => lt(row.id, idAt(moment, TRANSACTION_MAX_MS))),
    ),
    withinOneOf: ways,
    matches: and(
      ...rest,
      ways === undefined ? given(status, (shown) => isOneOf(STORED_AS[shown])) : undefined,
      unindexed(filter),
      given(from, (moment) => gte(row.createdAt, moment)),
      given(to, (moment) => lt(row.createdAt, moment)),
    ),
  };
}

/** How much times may differ from the order of ids. */
const TRANSACTION_MAX_MS = 60_000;

const idAt = (moment: Date, shiftMs: number): SQL =>
  sql`ledger.id_since(${new Date(moment.getTime() + shiftMs).toISOString()}::timestamptz)`;

/** The partial indexes of rare statuses, also for the transactions that a wallet was to pay or receive. */
function indexedConditions(status: ShownStatus | undefined, wallet: number | undefined): SQL[] | undefined {
  const [ofSource, ofDestination] = [
    given(wallet, (id) => eq(row.sourceId, id)),
    given(wallet, (id) => eq(row.destinationId, id)),
  ];
  const ways = (conditions: (SQL | undefined)[]) => conditions.filter((one) => one !== undefined);
  if (status === 'Pending') return ways([and(isOneOf(['Pending']), ofDestination), and(isOneOf(['Held']), ofSource)]);
  if (status !== 'Failed') return undefined;
  const refused = isOneOf(STORED_AS.Failed);
  return wallet === undefined ? [refused] : ways([and(refused, ofSource), and(refused, ofDestination)]);
}

/** Literals, so that PostgreSQL chooses the partial indexes. */
const isOneOf = (statuses: readonly TransactionRow['status'][]): SQL =>
  statuses.length === 1
    ? sql`${row.status} = ${sql.raw(`'${statuses[0]}'`)}`
    : sql`${row.status} in (${sql.raw(statuses.map((one) => `'${one}'`).join(', '))})`;

const given = <Value>(value: Value | undefined, condition: (value: Value) => SQL | undefined): SQL | undefined =>
  value === undefined ? undefined : condition(value);

/** The filters that no index serves. */
const unindexed = (filter: TransactionFilter): SQL | undefined =>
  and(
    given(filter.applicationId, (id) => eq(row.ownerId, id)),
    given(filter.namer, (namer) => eq(row.namer, namer)),
    given(filter.type, (type) => eq(row.type, type)),
    given(filter.failureReason, (code) => or(eq(row.code, code), eq(row.voidReason, code))),
    given(filter.currency, (currency) => eq(row.currency, currency)),
    given(filter.amountFrom, (least) => gte(row.amount, least)),
    given(filter.amountTo, (most) => lte(row.amount, most)),
  );

const selectShown = (db: Executor, keys: SQL) =>
  db
    .select()
    .from(transaction)
    .leftJoinLateral(shownOf(db), sql`true`)
    .where(sql`${transaction.id} in (${keys})`)
    .orderBy(desc(transaction.id));

/** One entry of each transaction. The limit makes PostgreSQL look it up for each row of the page instead of reading all entries. */
const shownOf = (db: Executor) =>
  db
    .select()
    .from(entry)
    .where(
      and(
        eq(entry.transactionId, transaction.id),
        sql`${entry.leg} = (select min(e.leg) from ${entry} e join ${account} a on a.id = e.account_id
          where e.transaction_id = ${transaction.id}
            and (a.kind in ('WALLET', 'APPLICATION') or a.kind = 'FLOAT' and ${transaction.type} in (${hidden})))`,
      ),
    )
    .limit(1)
    .as('entry');

const hidden = sql.raw(HIDDEN_TYPES.map((type) => `'${type}'`).join(', '));

/** The most entries that one page or one count reads. */
const SCANNED_MAX = 10_000;

const movement = alias(entry, 'm');

/** A strict account: `version` is the number of its last entry. */
interface MovedAccount {
  id: number;
  version: number;
}

/**
 * The movements of an account, newest first. Entries are found by number, so a page costs the same however long the history is.
 * `from` and `to` are times of the movement. When few match, a page may hold fewer than `limit` and still have a `next`.
 *
 * @throws DomainError INVALID_PARAMETER when the offset is so large that only a cursor gets there
 */
export async function listMovements(
  db: Executor,
  moved: MovedAccount,
  filter: TransactionFilter,
  { limit, offset, cursor = moved.version + 1, isUncounted }: PageRequest<number>,
): Promise<Listed<TransactionWithEntry, number>> {
  const last = cursor - 1;
  const matches = matchesOf(filter);
  if (matches === undefined) {
    const rows = await historyOf(db, { ...moved, version: last }, { limit: limit + 1, offset });
    return {
      ...pageOfRows<TransactionWithEntry, number>(rows, limit, keyOf),
      count: moved.version,
      countIsExact: true,
    };
  }
  if (offset > OFFSET_MAX) {
    const counted = await countMatching(db, moved, matches);
    if (isPast(counted, offset)) return { items: [], ...counted, next: undefined };
  }
  const first = Math.max(1, last - SCANNED_MAX - offset - limit + 1);
  const [counted, rows] = await Promise.all([
    isUncounted ? { count: 0, countIsExact: true } : countMatching(db, moved, matches),
    selectMatching(db, { accountId: moved.id, first, last, matches, limit: limit + 1, offset }),
  ]);
  const { items, next } = pageOfRows(rows, limit, keyOf);
  return { items, ...counted, next: next ?? (first > 1 ? first : undefined) };
}

const keyOf = ({ entry: one }: TransactionWithEntry): number => one?.version ?? 0;

function matchesOf(filter: TransactionFilter): SQL | undefined {
  const { partnerId, status, externalReference, from, to } = filter;
  return and(
    given(from, (moment) => gte(movement.createdAt, moment)),
    given(to, (moment) => lt(movement.createdAt, moment)),
    given(partnerId, (id) => eq(row.partnerId, id)),
    given(externalReference, (name) => eq(row.externalReference, name)),
    given(status, (shown) => isOneOf(STORED_AS[shown])),
    unindexed(filter),
  );
}

/** Entries by number, each with its transaction, looked up one by one: a join might read the whole table. */
const entriesIn = (accountId: number, first: number, last: number): SQL => sql`${entry} ${movement}
  cross join lateral (select ${row}.* from ${transaction} ${row} where ${row.id} = ${movement.transactionId} offset 0) ${row}
  where ${movement.accountId} = ${accountId} and ${movement.version} between ${first} and ${last}`;

function selectMatching(
  db: Executor,
  page: { accountId: number; first: number; last: number; matches: SQL; limit: number; offset: number },
): Promise<TransactionWithEntry[]> {
  const { accountId, first, last, matches, limit, offset } = page;
  const keys = sql`select ${movement.version} from ${entriesIn(accountId, first, last)} and ${matches}
    order by ${movement.version} desc limit ${limit} offset ${offset}`;
  const rows = db
    .select({ transaction, entry })
    .from(entry)
    .innerJoin(transaction, eq(transaction.id, entry.transactionId))
    .where(and(eq(entry.accountId, accountId), sql`${entry.version} = any(array(${keys}))`))
    .orderBy(desc(entry.version));
  return shaped(db, 'movements.page', rows);
}

/** For more than ten thousand entries the count is an estimate from the newest ones. */
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
