import { and, asc, count, desc, eq, gt, type SQL, type SQLWrapper, sql } from '#drizzle';
import type { Database, Executor } from '#lib/database.ts';
import { type Given, prepared } from '#lib/prepared.ts';
import { receiver, selectParts, selectPartsWith, sender, type TagTransactionParts } from './store.ts';
import { tagTransaction as row } from './tables.ts';

/** What a list can be sorted by: the members of a transaction that hold one value. */
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
  /** Of text; the others have no case. */
  ignoresCase: boolean;
}

export interface PageRequest {
  /** From 0. */
  page: number;
  size: number;
  sort: readonly Order[];
}

export interface Waiting {
  items: TagTransactionParts[];
  /** Of all pages. */
  total: number;
}

const waitsFor = (receiverAppId: string | SQLWrapper, now: Date | SQLWrapper): SQL | undefined =>
  and(eq(row.receiverAppId, receiverAppId), sql`${row.status} = 'AWAITING_ACCEPTANCE'`, gt(row.expiresAt, now));

const SIZE_MAX = sql.raw('2000');

const selectNewest = prepared(
  'tag-transactions.pending-newest',
  (db, given: Given<{ receiverAppId: string; now: Date; size: number; passed: number }>) => {
    const waiting = waitsFor(given.receiverAppId, given.now);
    return selectPartsWith(db, {
      total: sql`(select count(*) from ${row} where ${waiting})`.mapWith(Number),
    })
      .where(
        sql`${row.id} in (select id from (select ${row.id} from ${row} where ${waiting}
          order by ${row.createdAt} desc, ${row.id} desc limit ${SIZE_MAX} offset ${given.passed}) newest
          limit ${given.size})`,
      )
      .orderBy(desc(row.createdAt), desc(row.id));
  },
);

/**
 * The newest of what waits for an application and is not overdue, and how many wait, in one statement and so at one
 * moment. Both are read in the index alone, but for the rows of the page. Undefined for a page past the end.
 */
export async function selectNewestPending(
  db: Executor,
  receiverAppId: string,
  { page, size }: { page: number; size: number },
  now: Date,
): Promise<Waiting | undefined> {
  const found = await selectNewest(db, { receiverAppId, now, size, passed: page * size });
  const [first] = found;
  if (first !== undefined) return { items: found, total: first.total };
  return page === 0 && size > 0 ? { items: [], total: 0 } : undefined; // past the end only a count tells how many there are
}

/** A page of what waits for an application and is not overdue, and how many there are of it, at one moment. Ties go by id. */
export async function selectPending(
  db: Database,
  receiverAppId: string,
  { page, size, sort }: PageRequest,
  now: Date,
): Promise<Waiting> {
  const waiting = waitsFor(receiverAppId, now);
  const ties = { property: 'id', isDescending: sort.at(-1)?.isDescending ?? true, ignoresCase: false } as const;
  const order = [...sort, ties].map(inSql);
  return db.transaction(
    async (tx) => {
      const [counted] = await tx.select({ total: count() }).from(row).where(waiting);
      const items = await selectParts(tx)
        .where(waiting)
        .orderBy(...order)
        .limit(size)
        .offset(page * size);
      return { items, total: counted?.total ?? 0 };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

function inSql({ property, isDescending, ignoresCase }: Order) {
  const column = columns[property];
  const value = ignoresCase && column.columnType === 'PgText' ? sql`lower(${column})` : column;
  return isDescending ? desc(value) : asc(value);
}
