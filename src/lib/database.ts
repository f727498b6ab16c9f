import pg from 'pg';
import { drizzle, type NodePgDatabase } from '#drizzle/node-postgres';

/** Outside a transaction. */
export type Database = NodePgDatabase;
/** Inside one: the first argument of whatever must happen together. */
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0];
/** Where it makes no difference. */
export type Executor = Database | Tx;

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Given to PostgreSQL, which ends what takes longer. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** After so long without a word it is asked whether the other end is still there. */
const KEEP_ALIVE_AFTER_MS = 10_000;

export interface DatabaseOptions {
  /**
   * For how long a statement outside a transaction is waited for: longer than PostgreSQL itself works on one, so that it
   * is over only for connections whose other end is gone without a word. They are replaced. Without it, the operating
   * system says when a connection is dead, after a quarter of an hour.
   */
  readonly answerTimeoutMs?: number;
}

/** A pool of connections. `onError` hears of idle connections that broke; the pool replaces them by itself. */
export function openDatabase(
  url: string,
  poolMax: number,
  onError: (error: Error) => void,
  { answerTimeoutMs }: DatabaseOptions = {},
): DatabaseHandle {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'paytag',
  });
  pool.on('error', onError);
  // One that breaks in a transaction fails its statement; without a listener of its own it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: drizzle(pool), pool, close: () => pool.end() };
}
