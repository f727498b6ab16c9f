import pg from 'pg';
import { drizzle, type NodePgDatabase } from '#drizzle/node-postgres';

/** Runs queries outside a transaction, each on a connection of the pool. */
export type Database = NodePgDatabase;
/** Runs queries inside one transaction. */
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0];
/** Either of them, for a query that may run inside a transaction or outside. */
export type Executor = Database | Tx;

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** PostgreSQL itself cancels a statement that takes longer. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** A connection that is silent for so long is probed (TCP keep-alive). */
const KEEP_ALIVE_AFTER_MS = 10_000;

export interface DatabaseOptions {
  /**
   * How long to wait for the answer to a statement. Longer than STATEMENT_TIMEOUT_MS, so that only a dead connection
   * exceeds it; that connection is replaced. Without it the operating system reports a dead connection, after about a
   * quarter of an hour.
   */
  readonly answerTimeoutMs?: number;
}

/**
 * Opens a pool of connections, with timeouts for connecting, for a statement, and for an idle transaction.
 *
 * @param onError called when an idle connection breaks; the pool replaces it by itself
 */
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
  // A connection that breaks in a transaction fails its statement; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: drizzle(pool), pool, close: () => pool.end() };
}
