import { type SQL, sql } from '#drizzle';
import type { Executor } from './database.ts';
import { wholeOf } from './one-connection.ts';
import { shaped } from './prepared-shapes.ts';

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

const kept = new WeakMap<object, Map<string, { count: number; until: number }>>();

/**
 * Remembers estimates for some seconds: what is more than ten thousand is not counted anew for every page. What is exact
 * is never remembered.
 *
 * @param what names the list and its filter
 */
export async function rememberEstimate(db: Executor, what: string, read: () => Promise<Count>): Promise<Count> {
  const whole = wholeOf(db);
  const estimates = kept.get(whole) ?? new Map<string, { count: number; until: number }>();
  kept.set(whole, estimates);
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

/** How many rows PostgreSQL expects of what was explained: it plans that for the values given, whoever prepared it. */
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
