import type pg from 'pg';
import { drizzle } from '#drizzle/node-postgres';
import { type Database, IDLE_TRANSACTION_TIMEOUT_MS, LOCK_TIMEOUT_MS, withSettings } from './database.ts';
import { watchDatabase } from './database-watch.ts';
import { endClient } from './end-client.ts';
import { cut } from './watched-client.ts';

/**
 * Runs work whose statements may take hours over a connection of its own, which is opened for it and ended after it. What it asks
 * it asks in turn. PostgreSQL itself ends a statement within a second of this process being gone.
 *
 * @param closing ends the connection when it is aborted, so that what is under way fails
 */
export type WorkLong = <Result>(work: (db: Database) => Promise<Result>, closing?: AbortSignal) => Promise<Result>;

const CONNECT_TIMEOUT_MS = 5_000;
/** Nobody waits longer for one statement. */
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
