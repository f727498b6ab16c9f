import type pg from 'pg';
import { drizzle, type NodePgDatabase } from '#drizzle/node-postgres';
import { isStalePlan } from './failures.ts';
import type { Answer, PreparedText, Reads } from './pipelined-reads.ts';

/** Runs queries outside a transaction, each on a connection of the pool. */
export type Database = NodePgDatabase;
/** Runs queries inside one transaction. */
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0];
/** Either of them, for a query that may run inside a transaction or outside. */
export type Executor = Database | Tx;

/** Where prepared statements run outside a transaction. */
interface Connections {
  /** What writes: a connection for each. */
  readonly pool: pg.Pool;
  /** Reads: all over the same few connections. */
  readonly reads: Reads;
}

const connections = new WeakMap<object, Connections>();

/** Has prepared statements on a database run over these connections. */
export const setConnections = (db: Database, of: Connections): void => void connections.set(db, of);

/** The connections of a database; undefined for a transaction and for long reads, which have their own. */
export const connectionsOf = (on: Executor): Connections | undefined => connections.get(on);

/** What a statement runs on. */
export interface Client {
  query(query: PreparedText, values?: unknown[]): Promise<Answer>;
}

/** That of a transaction or a connection, or else the pool. */
export const clientOf = (on: Executor): Client => (on._.session as unknown as { client: Client }).client;

const poolOf = (db: Database): pg.Pool => (db as Database & { $client: pg.Pool }).$client;

/** Of a database on one connection: the one whose connection it is. */
const wholes = new WeakMap<object, object>();

/** The same for everything that runs on one database. */
export const wholeOf = (on: object): object => wholes.get(on) ?? on;

/**
 * Reads on one connection: what is sent without waiting for an answer goes out together. When a migration has changed a statement
 * that is prepared there, all of it is read again on another: `read` may run several times, and writes nothing.
 */
export async function onOneConnection<Result>(db: Database, read: (db: Database) => Promise<Result>): Promise<Result> {
  const { max } = poolOf(db).options;
  for (let tried = 0; ; tried += 1) {
    try {
      return await runOnOneConnection(db, read);
    } catch (error) {
      if (!isStalePlan(error) || tried >= max) throw error;
    }
  }
}

/** Runs `work` once, on one connection. It is not used again where it has a statement prepared which a migration has changed. */
export async function runOnOneConnection<Result>(
  db: Database,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const client = await poolOf(db).connect();
  let stale: Error | undefined;
  try {
    const one = drizzle(client);
    wholes.set(one, db);
    return await work(one);
  } catch (error) {
    if (isStalePlan(error)) stale = error as Error;
    throw error;
  } finally {
    client.release(stale);
  }
}

/**
 * What PostgreSQL plans a prepared statement for. `any`: after a few runs it makes one plan for all values, where that seems as good.
 * `given`: it plans each run for the values of that run. An index of what is rare is good for some values only, and how far an index
 * is walked along depends on them.
 */
type PlannedFor = 'any' | 'given';

const SESSION = { name: 'lib.plan-mode', text: `select set_config('plan_cache_mode', $1, false)` };
/** Null: as it was when the connection began. */
const SETTINGS = { any: null, given: 'force_custom_plan' } as const;

/** Connections on which either mode may be set, and what is set on them. */
const modes = new WeakMap<object, PlannedFor>();

/** Transactions that plan for the values given, until they end. */
const planning = new WeakSet<object>();

/** From now on a connection, a new one, is planned on as each statement asks. Not for one that a pooler gives to others. */
export function choosePlans(client: object): void {
  modes.set(client, 'any');
}

/**
 * Has what is sent next over a connection planned so. Where something has to be said for that, it goes out with it.
 *
 * @returns false where nothing can be
 */
export function planFor(client: Client, mode: PlannedFor): boolean {
  const current = modes.get(client);
  if (current === undefined) return false;
  if (current === mode) return true;
  modes.set(client, mode);
  // When it fails, the statement that is sent with it fails as well, and reports it: then the mode is set again.
  client.query(SESSION, [SETTINGS[mode]]).catch(() => modes.set(client, mode === 'any' ? 'given' : 'any'));
  return true;
}

/**
 * Has a transaction plan for the values given, in whatever statement of it this is selected. `markPlannedForValues` must be called
 * as well, so that what follows gets a name.
 */
export const PLAN_FOR_VALUES = `set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** Notes that a transaction selects PLAN_FOR_VALUES. Without that its statements by filters would be planned for any values. */
export const markPlannedForValues = (tx: Executor): void => void planning.add(tx);

/** Has a transaction plan for the values given: rolled back or not, that ends with it. It goes out with what is sent next. */
export async function planForValues(tx: Executor): Promise<void> {
  markPlannedForValues(tx);
  await clientOf(tx).query({ name: 'lib.plan-for-values', text: `select ${PLAN_FOR_VALUES}` }, []);
}

/** Whether a transaction plans for the values given. */
export const isPlannedForValues = (on: object): boolean => planning.has(on);
