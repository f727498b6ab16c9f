import type pg from 'pg';
import { drizzle } from '#drizzle/node-postgres';
import type { OffendingRow, Reader } from '../room.ts';
import { cut, endClient } from './client.ts';
import { IDLE_TRANSACTION_TIMEOUT_MS, LOCK_TIMEOUT_MS, withSettings } from './database.ts';
import type { Database } from './executor.ts';
import { isCancelled } from './failures.ts';
import { watchDatabase } from './watch.ts';

/**
 * Runs work whose statements may take hours over a connection of its own, which is opened for it and ended after it. What it asks
 * it asks in turn. PostgreSQL itself ends a statement within a second of this process being gone.
 *
 * @param closing ends the connection when it is aborted, so that what is under way fails
 */
export type WorkLong = <Result>(work: (db: Database) => Promise<Result>, closing?: AbortSignal) => Promise<Result>;

const CONNECT_TIMEOUT_MS = 5_000;
/** The longest for one statement. */
const STATEMENT_MAX_MS = 24 * 60 * 60 * 1000;
/** Longer, so that only a dead connection exceeds it. */
const ANSWER_TIMEOUT_MS = STATEMENT_MAX_MS + 60_000;
const SETTINGS = { client_connection_check_interval: '1000', transaction_timeout: '0' };

/** @param url of the database, past a pooler */
export function createLongWork(url: string): WorkLong {
  const settings: pg.ClientConfig = {
    connectionString: withSettings(url, SETTINGS),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    statement_timeout: STATEMENT_MAX_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'paytag-long',
  };
  return async (work, closing) => {
    closing?.throwIfAborted();
    const watch = watchDatabase({ settings });
    const client = new watch.WritingClient(settings);
    client.on('error', () => undefined); // what is under way fails; without a listener the process would end too
    const end = () => cut(client);
    closing?.addEventListener('abort', end);
    try {
      await client.connect();
      return await work(drizzle(client));
    } finally {
      closing?.removeEventListener('abort', end);
      watch.close();
      await endClient(client);
    }
  };
}

/** Work in a snapshot took longer than it may. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/** What may be read in a snapshot: rows as a stream, and those of a small result at once. */
export interface SnapshotReader extends Reader {
  rows<Row extends OffendingRow>(query: string): Promise<Row[]>;
}

/** A connection of its own for long reading, outside the pool that answers requests. */
export interface Snapshots {
  /** Takes a lock that this connection holds until it is closed. @returns false when another connection has it */
  lock(name: string): Promise<boolean>;
  /**
   * Runs `work` in a read-only transaction that sees one state of the database.
   *
   * @throws TimeLimitExceeded when it takes longer than `limitMs`, which may be infinite
   */
  read<T>(limitMs: number, work: (reader: SnapshotReader) => Promise<T>): Promise<T>;
  /** Ends the connection at once, and with it what it is reading. */
  close(): Promise<void>;
}

const ROWS_IN_MEMORY = 1_000;
const SNAPSHOT_SETTINGS = {
  ...SETTINGS,
  work_mem: '64MB',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

/**
 * Opens a connection for long reading. It plans for large sets, with more memory for each sort and join than requests have,
 * and takes one core of the database and no more, so that requests have the others. PostgreSQL itself ends a query whose reader has gone.
 */
export async function openSnapshots(url: string): Promise<Snapshots> {
  const settings = {
    connectionString: withSettings(url, SNAPSHOT_SETTINGS),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'paytag-check',
  };
  const watch = watchDatabase({ settings });
  const client = new watch.Client(settings);
  client.on('error', () => undefined); // the query under way fails; without a listener the process would end too
  await client.connect();

  return {
    async lock(name) {
      const { rows } = await client.query<{ taken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
        [name],
      );
      return rows[0]?.taken === true;
    },
    async read(limitMs, work) {
      await client.query('begin isolation level repeatable read, read only');
      try {
        await client.query(`set local statement_timeout = ${Number.isFinite(limitMs) ? Math.ceil(limitMs) : 0}`);
        return await work(readerOf(client, performance.now() + limitMs));
      } catch (error) {
        throw isCancelled(error) ? new TimeLimitExceeded(`took longer than ${limitMs} ms`, { cause: error }) : error;
      } finally {
        await client.query('rollback').catch(() => undefined); // the connection may be gone
      }
    },
    async close() {
      watch.close();
      await endClient(client);
    },
  };
}

function readerOf(client: pg.Client, deadline: number): SnapshotReader {
  let cursors = 0;
  return {
    rows: async (query) => (await client.query(query)).rows,
    async *stream(query) {
      const cursor = `cursor_${++cursors}`;
      await client.query(`declare ${cursor} no scroll cursor for ${query}`);
      for (;;) {
        if (performance.now() > deadline) throw new TimeLimitExceeded('took longer than it may');
        const { rows } = await client.query(`fetch ${ROWS_IN_MEMORY} from ${cursor}`);
        yield* rows;
        if (rows.length < ROWS_IN_MEMORY) break;
      }
      await client.query(`close ${cursor}`);
    },
  };
}
