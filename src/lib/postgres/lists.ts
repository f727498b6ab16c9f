import type { QueryResultRow } from 'pg';
import { and, type Column, gt, is, lt, or, SQL, sql } from '#drizzle';
import type { PgTable } from '#drizzle/pg-core';
import { DomainError } from '../domain-error.ts';
import { type Client, clientOf, type Executor, isPlannedForValues, planFor, wholeOf } from './executor.ts';
import { isStalePlan } from './failures.ts';
import { builder, nameAfter, preparedText, register, runnerOf, type Statement } from './prepared.ts';

/** A select of drizzle's, built and not run. */
export interface Select<Row> {
  prepare(name: string): { execute(): Promise<Row[]> };
}

/** Shapes of one list that get a name, and of all: each takes about 45 kB in every connection that it was sent over. */
export const SHAPES_MAX = 64;
export const ALL_SHAPES_MAX = 512;

/** The shapes of one list: their names by their text. */
interface Shapes {
  readonly names: Map<string, string>;
  /** How often a name was given: none is given twice as it is. */
  readonly given: Map<string, number>;
}

const lists = new Map<string, Shapes>();
let kept = 0;

/**
 * Runs a select whose text depends on the given filters and their order. It is built each time; what
 * PostgreSQL is sent again in the same shape it has prepared, by the name of the list and a digest of the text
 * (`wallets.page.6b86b273`). More shapes than are kept go without a name.
 *
 * Values must be parameters, never text; several values one array (`= any(…)`). It is planned each time for the values given,
 * since a plan for any values may read a table whole: by `DatabaseHandle.longReads` where no pooler stands between, and in a
 * transaction by `planForValues`. Where neither is so it goes without a name.
 *
 * @param list room and what is read, e.g. `audit.about`
 */
export async function shaped<Row>(on: Executor, list: string, select: Select<Row>): Promise<Row[]>;
export async function shaped<Row extends QueryResultRow>(on: Executor, list: string, text: SQL): Promise<Row[]>;
export async function shaped<Row>(on: Executor, list: string, query: Select<Row> | SQL): Promise<Row[]> {
  const client = clientOf(on);
  const { text, run } = is(query, SQL) ? ofText<Row>(client, query) : ofSelect(client, query);
  const name = isPlannedForValues(on) || planFor(client, 'given') ? nameOf(list, text) : '';
  try {
    return await run(name);
  } catch (error) {
    if (name === '' || !isStalePlan(error)) throw error;
    forget(list, text);
    return run('').catch(() => {
      throw error; // of a transaction nothing is left
    });
  }
}

/** Sent by the name that it is given; without one, if that is empty. */
interface Built<Row> {
  readonly text: string;
  readonly run: (name: string) => Promise<Row[]>;
}

function ofSelect<Row>(client: Client, select: Select<Row>): Built<Row> {
  const statement = select.prepare('') as unknown as Statement<Row[]>;
  const { queryConfig } = statement;
  return {
    text: queryConfig.text,
    run: (name) => {
      const named: Statement<Row[]> = Object.create(statement, { queryConfig: { value: { ...queryConfig, name } } });
      return runnerOf(named)(client, {});
    },
  };
}

function ofText<Row>(client: Client, query: SQL): Built<Row> {
  const { sql: text, params } = builder.execute(query).getQuery(); // built, and not run, since it is not awaited
  return { text, run: async (name) => (await client.query({ name, text }, params)).rows as Row[] };
}

/** Empty when there are too many. */
function nameOf(list: string, text: string): string {
  const shapes = lists.get(list) ?? { names: new Map<string, string>(), given: new Map<string, number>() };
  lists.set(list, shapes);
  const known = shapes.names.get(text);
  if (known !== undefined) return known;
  if (shapes.names.size >= SHAPES_MAX || kept >= ALL_SHAPES_MAX) return '';
  const first = nameAfter(list, text);
  const times = (shapes.given.get(first) ?? 0) + 1;
  shapes.given.set(first, times);
  const name = times === 1 ? first : `${first}.${times}`;
  register(name);
  shapes.names.set(text, name);
  kept += 1;
  return name;
}

/** Under the next name, which ends with a number, it is prepared again on every connection. */
function forget(list: string, text: string): void {
  if (lists.get(list)?.names.delete(text) === true) kept -= 1;
}

/** So many are counted one by one; of more the number is estimated. */
export const COUNTED_MAX = 10_000;

/** How many there are. */
export interface Count {
  count: number;
  /** False: an estimate. */
  countIsExact: boolean;
}

const KEPT_MS = 10_000;
const KEPT_MAX = 1_000;

const remembered = new WeakMap<object, Map<string, { count: number; until: number }>>();

/**
 * Remembers estimates for some seconds: what is more than ten thousand is not counted again for every page. What is exact
 * is never remembered.
 *
 * @param what names the list and its filter
 */
export async function rememberEstimate(db: Executor, what: string, read: () => Promise<Count>): Promise<Count> {
  const whole = wholeOf(db);
  const estimates = remembered.get(whole) ?? new Map<string, { count: number; until: number }>();
  remembered.set(whole, estimates);
  const known = estimates.get(what);
  const now = performance.now();
  if (known !== undefined && known.until > now) return { count: known.count, countIsExact: false };
  estimates.delete(what);
  const counted = await read();
  if (!counted.countIsExact) {
    const [oldest] = estimates.keys();
    if (estimates.size >= KEPT_MAX && oldest !== undefined) estimates.delete(oldest);
    estimates.set(what, { count: counted.count, until: performance.now() + KEPT_MS });
  }
  return counted;
}

/**
 * How many rows a query has, as PostgreSQL's statistics say: at once, however many they are.
 *
 * @param list names it, as in `shaped`
 */
export async function estimateRows(db: Executor, list: string, query: SQL): Promise<number> {
  return rowsPlanned(await shaped<PlanRow>(db, `${list}.estimate`, sql`explain (format json) ${query}`));
}

/** What `explain (format json)` answers. */
export interface PlanRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/** How many rows PostgreSQL expects of what was explained: it plans that for the values given, however it was prepared. */
export function rowsPlanned([plan]: readonly PlanRow[]): number {
  if (plan === undefined) throw new Error('a plan was not shown');
  return plan['QUERY PLAN'][0].Plan['Plan Rows'];
}

/**
 * How many rows a query has: exact up to ten thousand, estimated above.
 *
 * @param list names it, as in `shaped`
 * @param rows a select without order and limit
 */
export async function countUpTo(db: Executor, list: string, rows: SQL): Promise<Count> {
  const [counted] = await shaped<{ count: number }>(
    db,
    `${list}.count`,
    sql`select count(*)::int as count from (${rows} limit ${COUNTED_MAX + 1}) counted`,
  );
  const count = counted?.count ?? 0;
  if (count <= COUNTED_MAX) return { count, countIsExact: true };
  return { count: Math.max(count, await estimateRows(db, list, rows)), countIsExact: false };
}

/** Rows that a page may pass over at most, where there are more: further on it is reached by its cursor. */
export const OFFSET_MAX = 10_000;

/** Which part of a list is asked for. */
export interface PageRequest<Key> {
  /** Items at most. */
  limit: number;
  /** Items that are passed over first. */
  offset: number;
  /** Begins after the item of this key: the `next` of an earlier page. */
  cursor?: Key | undefined;
  /** True: how many there are is not asked, and `count` says nothing. */
  isUncounted?: boolean | undefined;
}

/** A part of a list; `count` is of all of it. */
export interface Listed<Item, Key> extends Count {
  items: Item[];
  /** Where the next page begins; undefined after the last. */
  next: Key | undefined;
}

/** The rows that were found, one more than `limit` where there are more, as a page. */
export function pageOfRows<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): { items: Row[]; next: Key | undefined } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : undefined };
}

/** True when nothing is at this offset. @throws DomainError INVALID_PARAMETER when only a cursor gets there */
export function isPast({ count, countIsExact }: Count, offset: number): boolean {
  if (offset <= OFFSET_MAX) return false;
  if (countIsExact) return offset >= count;
  throw new DomainError('INVALID_PARAMETER', `offset: must be at most ${OFFSET_MAX} in a list this long: take cursor`);
}

/** The size of a backlog, and the age of its first item. */
export interface HowMuchWaits extends Count {
  since: Date | undefined;
}

/**
 * Counts a backlog: exactly up to ten thousand. Beyond that the number is ten thousand, which is enough to know.
 *
 * @param name of the statement, e.g. `approvals.waiting`
 * @param rows a select of one moment, `at`, for each thing that waits, served by an index of those alone
 */
export function countOfWaiting(
  name: string,
  rows: string,
): (db: Executor, values?: unknown[]) => Promise<HowMuchWaits> {
  const read = preparedText<{ found: number; since: string | null }>(
    name,
    `select count(*)::int as found, to_json(min(w.at)) #>> '{}' as since from (${rows} limit ${COUNTED_MAX + 1}) w`,
  );
  return async (db, values = []) => {
    const { found = 0, since = null } = (await read(db, values))[0] ?? {};
    return {
      count: Math.min(found, COUNTED_MAX),
      countIsExact: found <= COUNTED_MAX,
      since: since === null ? undefined : new Date(since),
    };
  };
}

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
  /** Conditions on every row that an index serves, ordered by the key behind it. */
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
 * from there the walk continues.
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

/** The rows that may be looked at, in order: their keys alone where nothing else is asked, which an index may answer alone. */
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
  // Each part has its own limit: a limit on all of them together would read everything.
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
