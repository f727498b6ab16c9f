import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { ServerProcess } from '../support/process.ts';
import { openLocker } from '../support/row-locks.ts';

const run = promisify(execFile);

/** A process that is stopped (SIGSTOP) between two statements of a transaction, which holds the lock of an account. */
export interface Frozen<Answer> {
  /** PostgreSQL's process for its connection. */
  readonly pid: number;
  /** What it answers once it goes on. */
  readonly answer: Promise<Answer>;
  thaw(): void;
}

/** Whether a process is stopped, as `ps` says it. */
export async function isStopped({ child }: ServerProcess): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'state=', '-p', String(child.pid)]);
  return stdout.trim().startsWith('T');
}

/** The connections of a server that wait for `locker`. */
export async function waitersFor(pool: Pool, locker: number): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))',
    [locker],
  );
  return rows.map(({ pid }) => pid);
}

/**
 * Freezes `server` in the middle of an operation that locks `account` in a transaction: the test holds the lock first,
 * stops the process once it waits, and lets go. PostgreSQL then finishes the statement, and nobody sends the next one.
 */
export async function freezeInTransaction<Answer>(
  pool: Pool,
  server: ServerProcess,
  account: number,
  operation: () => Promise<Answer>,
): Promise<Frozen<Answer>> {
  const locker = await openLocker(pool);
  await locker.lock('ledger.account', [account]);
  const answer = operation();
  await locker.waitedFor();
  const [pid = 0] = await waitersFor(pool, locker.pid);
  server.child.kill('SIGSTOP');
  await eventually(async () => expect(await isStopped(server)).toBe(true));
  await locker.release();
  await eventually(async () => {
    const { rows } = await pool.query('select state from pg_stat_activity where pid = $1', [pid]);
    expect(rows).toEqual([{ state: 'idle in transaction' }]);
  });
  return { pid, answer, thaw: () => void server.child.kill('SIGCONT') };
}
