import { and, asc, count, desc, eq, gt, type SQL, type SQLWrapper, sql } from '#drizzle';
import {
  type Database,
  type Executor,
  markPlannedForValues,
  PLAN_FOR_VALUES,
  type Tx,
} from '#lib/postgres/executor.ts';
import { COUNTED_MAX, shaped } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import { receiver, selectParts, selectPartsWith, sender, type TagTransactionParts } from './store.ts';
import { tagTransaction as row } from './tables.ts';

/** The members by which a list can be sorted. */
const columns = {
  id: row.id,
  reference: row.reference,
  senderTag: row.senderTag,
  senderAppName: sender.name,
  senderAppId: row.senderAppId,
  receiverTag: row.receiverTag,
  receiverAppName: receiver.name,
  receiverAppId: row.receiverAppId,
  amount: row.amount,
  currency: row.currency,
  status: row.status,
  narration: row.narration,
  expiresAt: row.expiresAt,
  acceptedAt: row.acceptedAt,
  rejectedAt: row.rejectedAt,
  rejectionReason: row.rejectionReason,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  fee: row.fee,
};
export type SortProperty = keyof typeof columns;
export const sortProperties = Object.keys(columns) as [SortProperty, ...SortProperty[]];

export interface Order {
  property: SortProperty;
  isDescending: boolean;
  /** For text alone. */
  ignoresCase: boolean;
}

export interface PageRequest {
  /** From 0. */
  page: number;
  size: number;
  sort: readonly Order[];
}

export interface PendingPage {
  items: TagTransactionParts[];
  /** Of all pages. */
  total: number;
}

/** The order of the index of pending transactions. */
export interface TimeOrder {
  isDescending: boolean;
  /** Among those created at the same moment. */
  isIdDescending: boolean;
}

/** The most that are counted with each page. */
export const COUNTED_WITH_PAGE_MAX = 1_000;
/** The most that are sorted without an index. */
export const SORTED_MAX = COUNTED_MAX;

const isPendingFor = (receiverAppId: string | SQLWrapper, now: Date | SQLWrapper): SQL | undefined =>
  and(eq(row.receiverAppId, receiverAppId), sql`${row.status} = 'AWAITING_ACCEPTANCE'`, gt(row.expiresAt, now));

/** The ids of the newest pending ones. The order makes PostgreSQL read the index, and stop at `max`. */
const newestOf = (waiting: SQL | undefined, max: number): SQL =>
  sql`(select ${row.id} from ${row} where ${waiting} order by ${row.createdAt} desc, ${row.id} desc limit ${sql.raw(String(max))})`;

const selectNewest = prepared(
  'tag-transactions.pending-newest',
  (db, given: Given<{ receiverAppId: string; now: Date; size: number; passed: number }>) => {
    const most = sql.raw(String(COUNTED_WITH_PAGE_MAX + 1));
    const newest = sql`tag_transactions.newest_waiting(${given.receiverAppId}, ${given.now}, ${given.size}, ${given.passed}, ${most}) newest`;
    return selectPartsWith(db, { total: sql`newest.total`.mapWith(Number) })
      .innerJoin(newest, sql`${row.id} = any(newest.ids)`)
      .orderBy(desc(row.createdAt), desc(row.id));
  },
);

/**
 * A page of an application's newest pending, unexpired transactions and their total, up to COUNTED_WITH_PAGE_MAX + 1, in one
 * snapshot. Apart from the rows of the page it reads the index alone. Undefined for a page past the end.
 */
export async function selectNewestPending(
  db: Executor,
  receiverAppId: string,
  { page, size }: { page: number; size: number },
  now: Date,
): Promise<PendingPage | undefined> {
  const found = await selectNewest(db, { receiverAppId, now, size, passed: page * size });
  const [first] = found;
  if (first !== undefined) return { items: found, total: first.total };
  return page === 0 && size > 0 ? { items: [], total: 0 } : undefined; // past the end: a separate count gives the total
}

const countWaiting = prepared(
  'tag-transactions.pending-count',
  (db, given: Given<{ receiverAppId: string; now: Date }>) =>
    db
      .select({ total: count() })
      .from(sql`(select ${row.id} from ${row} where ${isPendingFor(given.receiverAppId, given.now)}
        order by ${row.createdAt} desc, ${row.id} desc) waiting`),
);

/** The number of an application's pending, unexpired transactions, from the index. */
export async function selectPendingCount(db: Database, waiting: { receiverAppId: string; now: Date }): Promise<number> {
  const [counted] = await alongIndex(db, async (tx) => countWaiting(tx, waiting));
  return counted?.total ?? 0;
}

/** A page of an application's pending, unexpired transactions by time, from the index. */
export async function selectByTime(
  db: Database,
  receiverAppId: string,
  { page, size, isDescending, isIdDescending }: Omit<PageRequest, 'sort'> & TimeOrder,
  now: Date,
): Promise<TagTransactionParts[]> {
  const order = [ordered(row.createdAt, isDescending), ordered(row.id, isIdDescending)];
  return alongIndex(db, async (tx) => {
    const parts = selectParts(tx)
      .where(
        sql`${row.id} = any(array(select ${row.id} from ${row} where ${isPendingFor(receiverAppId, now)}
          order by ${sql.join(order, sql`, `)} limit ${size} offset ${page * size}))`,
      )
      .orderBy(...order);
    return shaped(tx, 'tag-transactions.by-time', parts);
  });
}

/**
 * A page of an application's pending, unexpired transactions and their total, in one snapshot. Ties go by id. Undefined when there
 * are too many to sort.
 */
export async function selectSorted(
  db: Database,
  receiverAppId: string,
  { page, size, sort }: PageRequest,
  now: Date,
): Promise<PendingPage | undefined> {
  const newest = newestOf(isPendingFor(receiverAppId, now), SORTED_MAX + 1);
  const ties = { property: 'id', isDescending: sort.at(-1)?.isDescending ?? true, ignoresCase: false } as const;
  const order = [...sort, ties].map(inSql);
  return alongIndex(db, async (tx) => {
    const several = db.select({ total: count() }).from(sql`${newest} newest`);
    const [counted] = await shaped(tx, 'tag-transactions.several', several);
    const total = counted?.total ?? 0;
    if (total > SORTED_MAX) return undefined;
    const parts = selectParts(tx)
      .where(sql`${row.id} = any(array${newest})`)
      .orderBy(...order)
      .limit(size)
      .offset(page * size);
    return { items: await shaped(tx, 'tag-transactions.sorted', parts), total };
  });
}

/** Plans that would read the whole table, or other applications' rows, where one application has most of the pending ones. */
const OTHER_WAYS = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'];

const walkAlong = preparedText(
  'tag-transactions.along-index',
  `select set_config(way, 'off', true), ${PLAN_FOR_VALUES} from unnest($1::text[]) way`,
);

/** Reads in one snapshot, along the index of pending transactions. */
const alongIndex = <Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction(
    async (tx) => {
      markPlannedForValues(tx);
      await walkAlong(tx, [OTHER_WAYS]);
      return work(tx);
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );

const ordered = (value: SQLWrapper, isDescending: boolean): SQL => (isDescending ? desc(value) : asc(value));

function inSql({ property, isDescending, ignoresCase }: Order) {
  const column = columns[property];
  const value = ignoresCase && column.columnType === 'PgText' ? sql`lower(${column})` : column;
  return ordered(value, isDescending);
}
