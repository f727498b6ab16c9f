import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { drizzle } from '#drizzle/node-postgres';
import { currentSpan, TRACEPARENT_SETTING } from '../tracing.ts';
import type { Tx } from './executor.ts';
import { isStalePlan } from './failures.ts';

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
 * Has this process forget what it keeps in memory (`lib/postgres/caches.ts`) as soon as this transaction ends, so that what it changes
 * holds at once here. Triggers notify other processes.
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
      for (const what of withChanges.get(tx) ?? []) forget(...what); // also when it is unknown whether it committed
      client.release(broken);
    }
  };

/** `begin` goes out together with the first statement of `work`, which saves a round trip. */
async function within<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  const begun = Promise.all([client.query('begin'), passTrace(client)]);
  const [, result] = await settled(
    begun,
    (async () => work())(), // a query of drizzle's runs once for each `await`: this awaits it once
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

/**
 * Commits, and what is done under keys says so in the same transaction: with `commit`, which saves a round trip.
 *
 * @throws also where PostgreSQL rolled back instead
 */
async function commitAs(client: PoolClient, runs: readonly RunOnce[]): Promise<void> {
  const marked = Promise.all(runs.map(({ mark }) => client.query(mark)));
  const committed = client.query('commit').catch((error: unknown) => {
    if (mayHaveCommitted(error)) for (const run of runs) run.isInDoubt = true;
    throw error;
  });
  const [, { command }] = await settled(marked, committed);
  // In a transaction of which a statement failed, `commit` rolls back and says so only by its name.
  if (command !== 'COMMIT') throw new Error(`the transaction was not committed: ${command}`);
}

/** One statement in its own transaction, marked with these runs. Takes one round trip. */
export async function queryAs<Row extends QueryResultRow>(
  pool: Pool,
  runs: readonly RunOnce[],
  statement: QueryConfig,
): Promise<QueryResult<Row>> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const answered = settled(client.query('begin'), client.query<Row>(statement));
    const [[, result]] = await settled(answered, commitAs(client, runs));
    return result;
  } catch (error) {
    broken = error as Error; // as `pool.query` does
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Classes of SQLSTATEs with which PostgreSQL says that it did not commit: what else it says, it may say after it did. */
const ROLLED_BACK = /^(?!40003)(2\d|3\w|4\w|5[345]|P0)/;

function mayHaveCommitted(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || !ROLLED_BACK.test(code);
}

/** The results of both. When one fails, the other is waited for first: nothing runs behind a rollback. */
async function settled<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** Something that is done once, under a key that others may take over when it goes silent. */
export interface RunOnce {
  /**
   * The last statement of each transaction of the run, in which it says that it has committed: it fails where the run has lost
   * its key, and nothing is committed then.
   */
  readonly mark: { readonly name: string; readonly text: string; readonly values: unknown[] };
  /** True once a commit was sent and its outcome is unknown. */
  isInDoubt: boolean;
  /** True from when the run ends: work that it began and did not await is no part of it. */
  isOver: boolean;
}

const running = new AsyncLocalStorage<RunOnce>();

/** Runs something as a part of a run. */
export const runAs = <Result>(run: RunOnce, work: () => Result): Result => running.run(run, work);

/** The run that the caller is a part of. */
export function currentRun(): RunOnce | undefined {
  const run = running.getStore();
  return run?.isOver === true ? undefined : run;
}
