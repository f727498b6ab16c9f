import pg from 'pg';
import { drizzle } from '#drizzle/node-postgres';
import { withTimeout } from '../clock.ts';
import type { Meter } from '../meter.ts';
import { withoutPreparing } from './client.ts';
import { choosePlans, type Database, runOnOneConnection, setConnections } from './executor.ts';
import { type DatabaseTrouble, dropSpent } from './failures.ts';
import { measurePool } from './measured.ts';
import { openReads } from './pipelined-reads.ts';
import { watchDatabase } from './watch.ts';

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: pg.Pool;
  /** Runs reads that may take long. However many they are, they take no connection from what moves money. */
  readonly longReads: Database;
  /**
   * Asks the database over the pool. Why it cannot serve requests, or could not a moment ago; undefined when it can.
   *
   * @throws what a statement fails with that it does not answer
   */
  trouble(): Promise<DatabaseTrouble | undefined>;
  /** Ends the connections once what is under way has been answered, or after a few seconds. */
  close(): Promise<void>;
}

/** For a connection, a new one or one of the pool. With what a statement may wait, a request still ends in 10 seconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL itself cancels a statement that takes longer. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * PostgreSQL rolls back a transaction whose client is silent for so long between two statements, and ends its
 * connection: what a frozen process had locked is free then. Inside a transaction we wait for PostgreSQL and for nothing else.
 */
export const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;
/** Longer than STATEMENT_TIMEOUT_MS, so that only a dead connection exceeds it; that connection is replaced. */
const ANSWER_TIMEOUT_MS = 33_000;
/** Through a pooler, where nothing else shows a dead connection: longer than the role's own limits, and its end is a second late at most. */
const POOLED_ANSWER_TIMEOUT_MS = 8_000;
/** A read that takes longer keeps too many others waiting: it is refused as BUSY. */
const READ_TIMEOUT_MS = 5_000;
/** Longer than READ_TIMEOUT_MS, so that only a dead connection exceeds it. */
const READ_ANSWER_TIMEOUT_MS = 8_000;
export const LONG_READS_MAX = 3;
const LONG_READ_TIMEOUT_MS = 10_000;
/**
 * Shorter than an idle transaction may hold a lock: what a frozen process has waiting behind a lock that it holds itself gives up before
 * PostgreSQL ends the holder. Otherwise each would get the lock in turn, and hold it as long again.
 */
export const LOCK_TIMEOUT_MS = 4_500;
/**
 * Longer than an idle transaction may hold a lock, so that only a lock that is held on purpose exceeds it. Only for a statement that is a
 * transaction of its own, or is sent together with its commit: it holds nothing while its process is frozen.
 */
export const WHOLE_LOCK_TIMEOUT_MS = 8_000;
/** Longer than STATEMENT_TIMEOUT_MS, so that a statement that takes too long costs itself and not the connection. */
const TRANSACTION_TIMEOUT_MS = 35_000;
/** A connection that is silent for so long is probed (TCP keep-alive). */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** When the database is closed, statements without an answer are given up after this. */
const CLOSE_MAX_MS = 8_000;

/**
 * How reads that share connections find their rows: by index, one after the other. A plan is kept until a table of it is analyzed:
 * one that was made while a table held next to nothing would read it whole when it has a million rows.
 */
const BY_INDEX = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };

/**
 * How long reads do: by index as well, where PostgreSQL would read a whole table if most of it is asked for. And by one process each,
 * where it would take several for one that is long: the processors are the money's.
 */
const AWAY_FROM_MONEY = { enable_seqscan: 'off', max_parallel_workers_per_gather: '0' };

/** True on a standby, and where an administrator has made it so. */
const READ_ONLY = `select current_setting('transaction_read_only')::boolean as on`;

export interface DatabaseOptions {
  /**
   * How long to wait for the answer to a statement, if not ANSWER_TIMEOUT_MS. The operating system would report a dead
   * connection only after about a quarter of an hour.
   */
  readonly answerTimeoutMs?: number;
  /** Shorter than STATEMENT_TIMEOUT_MS, for what may as well not be answered. */
  readonly statementTimeoutMs?: number;
  /** How the connections are called in PostgreSQL's own lists. */
  readonly applicationName?: string;
  /**
   * A pooler in transaction mode stands between, and this is the URL without it. Connections begin without settings, which the
   * role has instead.
   */
  readonly directUrl?: string | undefined;
  /** False leaves no statement prepared. */
  readonly prepare?: boolean;
  /** Measures connections and statements. */
  readonly metrics?: Meter;
  /** Called when the database cannot serve requests any more, and with undefined when it can again. */
  readonly onTrouble?: (trouble: DatabaseTrouble | undefined) => void;
}

/**
 * Opens a pool of connections, with timeouts for connecting, for a statement, for a lock, and for a transaction. One that goes
 * dead is ended, and while the database does not answer every statement fails at once (`lib/postgres/watch.ts`).
 *
 * @param onError called when an idle connection breaks; the pool replaces it
 */
export function openDatabase(
  url: string,
  poolMax: number,
  onError: (error: Error) => void,
  {
    directUrl,
    answerTimeoutMs = directUrl === undefined ? ANSWER_TIMEOUT_MS : POOLED_ANSWER_TIMEOUT_MS,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    applicationName = 'paytag',
    prepare = true,
    metrics,
    onTrouble = () => undefined,
  }: DatabaseOptions = {},
): DatabaseHandle {
  const isPooled = directUrl !== undefined;
  const pooled: pg.PoolConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: applicationName,
  };
  const direct: pg.PoolConfig = {
    ...pooled,
    connectionString: withSettings(directUrl ?? url, { transaction_timeout: String(TRANSACTION_TIMEOUT_MS) }),
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  };
  const settings = isPooled ? pooled : direct;
  const reading = (timeoutMs: number, planned: Record<string, string> = {}): pg.PoolConfig => ({
    ...settings,
    ...(!isPooled && {
      connectionString: withSettings(url, { default_transaction_read_only: 'on', ...planned }),
      statement_timeout: Math.min(timeoutMs, statementTimeoutMs),
    }),
    application_name: `${applicationName}-reads`,
  });
  const watch = watchDatabase({ settings: direct, isPooled, onTrouble });
  const Client = prepare ? watch.Client : withoutPreparing(watch.Client);
  const WritingClient = prepare ? watch.WritingClient : withoutPreparing(watch.WritingClient);
  const pool = openPool({ ...settings, max: poolMax, Client: WritingClient }, onError);
  const longReads = openPool(
    { ...reading(LONG_READ_TIMEOUT_MS, AWAY_FROM_MONEY), max: LONG_READS_MAX, Client },
    onError,
  );
  if (!isPooled) longReads.on('connect', choosePlans);
  const reads = openReads(
    { ...reading(READ_TIMEOUT_MS, BY_INDEX), query_timeout: READ_ANSWER_TIMEOUT_MS },
    Client,
    onError,
    metrics,
  );
  if (metrics !== undefined) {
    measurePool(pool, applicationName, metrics);
    measurePool(longReads, `${applicationName}-long-reads`, metrics);
  }
  const db = drizzle(pool);
  // That of drizzle gives a connection back only once `begin` was answered: one that broke there was lost to the pool. Run once,
  // whatever fails: a transaction may write, and its caller count what it did.
  db.transaction = (work, how) => runOnOneConnection(db, async (one) => one.transaction(work, how));
  setConnections(db, { pool, reads });
  return {
    db,
    pool,
    longReads: drizzle(longReads),
    async trouble() {
      const client = await pool.connect();
      try {
        const { rows } = await client.query<{ on: boolean }>(READ_ONLY);
        if (rows[0]?.on === true) watch.isReadOnly(client);
      } finally {
        client.release(); // one that is being ended goes
      }
      return watch.trouble;
    },
    async close() {
      await withTimeout(Promise.all([reads.close(), longReads.end(), pool.end()]), CLOSE_MAX_MS);
      watch.close();
    },
  };
}

function openPool(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  // Pipelined, so that what need not wait for an answer goes out with what comes next.
  const pool = new pg.Pool({ ...config, pipeline: true });
  pool.on('error', onError);
  dropSpent(pool);
  // A connection that breaks in a transaction fails its statement; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The URL of the same database, with settings of PostgreSQL for every connection to it. */
export function withSettings(databaseUrl: string, settings: Record<string, string>): string {
  const url = new URL(databaseUrl);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', ...options].join(' ').trim());
  return url.href;
}
