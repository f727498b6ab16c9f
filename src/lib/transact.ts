import type { Pool, PoolClient } from 'pg';
import { drizzle } from '#drizzle/node-postgres';
import type { Tx } from './database.ts';
import { commitAs, settled } from './marked-commit.ts';
import { currentRun } from './run-once.ts';
import { isStalePlan } from './stale-plan.ts';
import { currentSpan, TRACEPARENT_SETTING } from './tracing.ts';

/** Runs `work` in one transaction. After the commit it wakes the worker, when `wakeAfterCommit` was called for it. */
export type Transact = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const withDeliveries = new WeakSet<object>();

/**
 * Has the worker look for due deliveries as soon as this transaction commits. Called by whatever makes a delivery due (an
 * event that is written, a resend, a receiver that is resumed), so that no caller of it can forget the worker.
 */
export function wakeAfterCommit(tx: object): void {
  withDeliveries.add(tx);
}

const afterwards = new WeakMap<object, (() => void)[]>();

/** Does something as soon as this transaction has committed, and nothing if it does not: what is counted has happened. */
export function afterCommit(tx: object, what: () => void): void {
  afterwards.set(tx, [...(afterwards.get(tx) ?? []), what]);
}

/** Forgets what is kept in memory under a name: all of it, or what these keys stand for. */
type Forget = (name: string, keys?: readonly string[]) => void;

const withChanges = new WeakMap<object, Parameters<Forget>[]>();

/**
 * Has this process forget what it keeps in memory (`lib/caches.ts`) as soon as this transaction ends, so that what it changes
 * holds at once here. Other processes are told by triggers.
 */
export function forgetAfterCommit(tx: object, ...what: Parameters<Forget>): void {
  withChanges.set(tx, [...(withChanges.get(tx) ?? []), what]);
}

/**
 * @param wake called after each commit of a transaction that made deliveries due
 * @param forget called after each transaction that changed what is kept in memory
 */
export const createTransact =
  (pool: Pool, wake: () => void, forget: Forget = () => undefined): Transact =>
  async (work) => {
    const client = await pool.connect();
    const tx = drizzle(client) as unknown as Tx;
    let broken: Error | undefined;
    try {
      const result = await within(client, () => work(tx));
      if (withDeliveries.has(tx)) wake();
      for (const what of afterwards.get(tx) ?? []) what();
      return result;
    } catch (error) {
      // What cannot be rolled back is not used again: PostgreSQL rolls back what its client leaves.
      await client.query('rollback').catch((cause: Error) => (broken = cause));
      if (isStalePlan(error)) broken = error as Error;
      throw error;
    } finally {
      for (const what of withChanges.get(tx) ?? []) forget(...what); // also when nobody knows whether it committed
      client.release(broken);
    }
  };

/** `begin` goes out together with the first statement of `work`, which saves a round trip. */
async function within<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  const begun = Promise.all([client.query('begin'), passTrace(client)]);
  const [, result] = await settled(
    begun,
    (async () => work())(), // a query of drizzle's runs anew for each that waits for it: this waits once
  );
  const run = currentRun();
  await commitAs(client, run === undefined ? [] : [run]);
  return result;
}

/** What is delivered because of a transaction that is traced belongs to its trace. */
async function passTrace(client: PoolClient): Promise<void> {
  const span = currentSpan();
  if (span === undefined) return;
  const text = `select set_config('${TRACEPARENT_SETTING}', $1, true)`;
  await client.query({ name: 'lib.pass-trace', text, values: [span.traceparent] });
}
