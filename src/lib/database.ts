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
/**
 * PostgreSQL rolls back a transaction of whose client nothing is heard for so long between two statements, and ends its
 * connection: whatever a process that is frozen had locked is free then. Nothing of ours is waited for inside a
 * transaction but PostgreSQL.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;
/** Longer than an idle transaction may hold a lock, so that only a lock that is held on purpose exceeds it. */
const LOCK_TIMEOUT_MS = 8_000;
/** Longer than STATEMENT_TIMEOUT_MS, so that a statement that takes too long costs itself and not the connection. */
const TRANSACTION_TIMEOUT_MS = 35_000;
/** A connection that is silent for so long is probed (TCP keep-alive). */
const KEEP_ALIVE_AFTER_MS = 10_000;

export interface DatabaseOptions {
  /**
   * How long to wait for the answer to a statement. Longer than STATEMENT_TIMEOUT_MS, so that only a dead connection
   * exceeds it; that connection is replaced. Without it the operating system reports a dead connection, after about a
   * quarter of an hour.
   */
  readonly answerTimeoutMs?: number;
  /** Shorter than STATEMENT_TIMEOUT_MS, for what may as well not be answered. */
  readonly statementTimeoutMs?: number;
  /** How the connections are called in PostgreSQL's own lists. */
  readonly applicationName?: string;
}

/**
 * Opens a pool of connections, with timeouts for connecting, for a statement, for a lock, and for a transaction.
 *
 * @param onError called when an idle connection breaks; the pool replaces it by itself
 */
export function openDatabase(
  url: string,
  poolMax: number,
  onError: (error: Error) => void,
  { answerTimeoutMs, statementTimeoutMs = STATEMENT_TIMEOUT_MS, applicationName = 'paytag' }: DatabaseOptions = {},
): DatabaseHandle {
  const pool = new pg.Pool({
    connectionString: withSettings(url, { transaction_timeout: String(TRANSACTION_TIMEOUT_MS) }),
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: applicationName,
  });
  pool.on('error', onError);
  // A connection that breaks in a transaction fails its statement; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: drizzle(pool), pool, close: () => pool.end() };
}

/** The URL of the same database, with settings of PostgreSQL for every connection to it. */
export function withSettings(databaseUrl: string, settings: Record<string, string>): string {
  const url = new URL(databaseUrl);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', ...options].join(' ').trim());
  return url.href;
}
