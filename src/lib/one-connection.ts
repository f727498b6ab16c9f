import type pg from 'pg';
import { type NodePgDatabase as Database, drizzle } from '#drizzle/node-postgres';
import { isStalePlan } from './stale-plan.ts';

/** Of a database on one connection: the one whose connection it is. */
const wholes = new WeakMap<object, object>();

/** The same for everything that runs on one database. */
export const wholeOf = (on: object): object => wholes.get(on) ?? on;

/**
 * Reads on one connection: what is sent without waiting for an answer goes out together. When a migration has changed a statement
 * that is prepared there, all of it is read anew on another: `read` may run several times, and writes nothing.
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

const poolOf = (db: Database): pg.Pool => (db as Database & { $client: pg.Pool }).$client;
