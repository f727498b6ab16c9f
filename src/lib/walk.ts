import { and, type Column, gt, lt, or, type SQL, sql } from '#drizzle';
import type { PgTable } from '#drizzle/pg-core';
import { COUNTED_MAX, type Count, estimateRows, rememberEstimate } from './counts.ts';
import type { Executor } from './database.ts';
import { isPast, type Listed, OFFSET_MAX, type PageRequest, pageOfRows } from './list-page.ts';
import { type Select, shaped } from './prepared-shapes.ts';

/** Rows that are looked at for one page, or for one count, at most. */
const SCANNED_MAX = 10_000;

const UNCOUNTED: Count = { count: 0, countIsExact: true };

/**
 * A list that is read by walking along an index from the newest row (or the oldest) on. However large the table is and
 * whatever matches, a page looks at a bounded number of rows.
 */
export interface Walk {
  /** Names the list: its statements (`shaped`), and estimates that are remembered. */
  readonly name: string;
  readonly table: PgTable;
  /** The same table, by an alias: all conditions are on this one. */
  readonly row: PgTable;
  /** What the rows are ordered by: unique. */
  readonly key: Column;
  readonly isAscending?: boolean;
  /** What is asked of every row and served by an index that is ordered by the key behind it. */
  readonly within?: SQL | undefined;
  /** The same, several: each row meets one of them at most, and the indexes that serve them are walked side by side. */
  readonly withinOneOf?: readonly SQL[] | undefined;
  /** What each row that is walked over is asked one by one. */
  readonly matches?: SQL | undefined;
  /** The filter as it was given: with it an estimate is remembered. */
  readonly filter: unknown;
}

/**
 * A page of a walk. When few of very many rows match, it may hold fewer items than were asked for, and `next` all the same:
 * from there the walk goes on.
 *
 * @param load selects the rows whose keys a subquery selects, in the order of the walk
 * @throws DomainError INVALID_PARAMETER when the offset is so large that only a cursor gets there
 */
export async function pageOfWalk<Row, Key extends string | number>(
  db: Executor,
  walk: Walk,
  page: PageRequest<Key>,
  load: { rows: (keys: SQL) => Select<Row>; keyOf: (row: Row) => Key },
): Promise<Listed<Row, Key>> {
  const what = `${walk.name} ${JSON.stringify(walk.filter, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`;
  const count = async () => (page.isUncounted ? UNCOUNTED : rememberEstimate(db, what, () => countOf(db, walk)));
  const nothing = (counted: Count) => ({ items: [], ...counted, next: undefined });
  if (page.limit === 0) return nothing(await count());
  if (page.offset > OFFSET_MAX) {
    const counted = await count();
    if (isPast(counted, page.offset)) return nothing(counted);
  }
  // Together, so that where both run on one connection it is one round trip.
  const [counted, rows] = await Promise.all([count(), shaped(db, `${walk.name}.page`, load.rows(keysOf(walk, page)))]);
  const { items, next } = pageOfRows(rows, page.limit, load.keyOf);
  const isShort = next === undefined && walk.matches !== undefined;
  return { items, ...counted, next: isShort ? await scannedTo<Key>(db, walk, page) : next };
}

/** The rows that may be looked at, in order: their keys alone where nothing else is asked, which an index may tell by itself. */
function scanned(
  { table, row, key, within, withinOneOf, matches, isAscending }: Walk,
  cursor: unknown,
  max: number,
): SQL {
  const columns = matches === undefined ? sql`${key}` : sql`${row}.*`;
  const behind = cursor === undefined ? undefined : isAscending ? gt(key, cursor) : lt(key, cursor);
  const ways = (withinOneOf ?? [undefined]).map(
    (one) =>
      sql`select ${columns} from ${table} ${row} where ${and(within, one, behind) ?? sql`true`} ${inOrder(key, isAscending)} limit ${max}`,
  );
  const [only = sql``, ...others] = ways;
  if (others.length === 0) return only;
  // Each is bounded by itself: of what is only taken together, all would be read.
  const all = sql.join(
    ways.map((way) => sql`(${way})`),
    sql` union all `,
  );
  return sql`select ${columns} from (${all}) ${row} ${inOrder(key, isAscending)} limit ${max}`;
}

const inOrder = (key: Column, isAscending = false): SQL =>
  sql`order by ${key} ${sql.raw(isAscending ? 'asc' : 'desc')}`;

const scanMax = ({ offset, limit }: PageRequest<unknown>): number => SCANNED_MAX + offset + limit;

/** The keys of a page, and one more. */
function keysOf(walk: Walk, page: PageRequest<unknown>): SQL {
  const { row, key, isAscending, matches = sql`true` } = walk;
  return sql`select ${key} from (${scanned(walk, page.cursor, scanMax(page))}) ${row} where ${matches}
    ${inOrder(key, isAscending)} limit ${page.limit + 1} offset ${page.offset}`;
}

/** How far a page looked that found too few; undefined when nothing is behind it. */
async function scannedTo<Key>(db: Executor, walk: Walk, page: PageRequest<unknown>): Promise<Key | undefined> {
  const { row, key, isAscending } = walk;
  const max = scanMax(page);
  const rows = await shaped<{ key: Key }>(
    db,
    `${walk.name}.scanned`,
    sql`select ${key} as key from (${scanned({ ...walk, matches: undefined }, page.cursor, max + 1)}) ${row} ${inOrder(key, isAscending)}
      limit 2 offset ${max - 1}`,
  );
  const found = rows.length > 1 ? rows[0]?.key : undefined;
  // A bigint comes as text.
  return (typeof found === 'string' && key.dataType === 'number' ? Number(found) : found) as Key | undefined;
}

/** Of what is more than ten thousand, the share of those that match among the first ten thousand is taken for that of all. */
async function countOf(db: Executor, walk: Walk): Promise<Count> {
  const { table, row, key, within, withinOneOf = [], matches = sql`true` } = walk;
  const [counted] = await shaped<{ scanned: number; matching: number }>(
    db,
    `${walk.name}.count`,
    sql`select count(*)::int as scanned, (count(*) filter (where ${matches}))::int as matching
      from (${scanned(walk, undefined, COUNTED_MAX + 1)}) ${row}`,
  );
  const { scanned: looked, matching } = counted ?? { scanned: 0, matching: 0 };
  if (looked <= COUNTED_MAX) return { count: matching, countIsExact: true };
  const condition = and(within, or(...withinOneOf)) ?? sql`true`;
  const all = await estimateRows(db, walk.name, sql`select ${key} from ${table} ${row} where ${condition}`);
  return { count: Math.max(matching, Math.round((all * matching) / looked)), countIsExact: false };
}
