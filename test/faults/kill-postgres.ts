import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { ServerProcess } from '../support/process.ts';
import { openLocker } from '../support/row-locks.ts';

/** kill -9 for every process of the embedded PostgreSQL under `root`, the first one first, so that it starts no others. */
export const killPostgres = (root: string): Promise<void> => signalPostgres(root, 'SIGKILL');

/** Has every process of it stand still, as on a machine that hangs: its connections stay, and nothing is answered. */
export const freezePostgres = (root: string): Promise<void> => signalPostgres(root, 'SIGSTOP');

export const thawPostgres = (root: string): Promise<void> => signalPostgres(root, 'SIGCONT');

async function signalPostgres(root: string, signal: NodeJS.Signals): Promise<void> {
  const [line = ''] = (await readFile(join(root, 'cluster/data/postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${line}/task/${line}/children`, 'utf8');
  for (const pid of [line, ...children.trim().split(' ')]) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // it had ended already
    }
  }
}

/** A table that nobody else can write to for a while: a statement that would is stopped before it has done anything. */
export interface HeldTable {
  /** Resolves when a statement waits that has these words among its first. */
  waitedForBy(words: string): Promise<void>;
  /** Ends the connections whose statements wait: what they were about to do is not done. */
  refuseWaiting(): Promise<void>;
  /** Lets them go on. Called again, it does nothing. */
  release(): Promise<void>;
}

/** @param mode `access exclusive`: nobody reads it either */
export async function holdTable(
  pool: Pool,
  table: string,
  mode: 'exclusive' | 'access exclusive' = 'exclusive',
): Promise<HeldTable> {
  const client = await pool.connect();
  // For as long as the test needs it.
  await client.query('begin; set local idle_in_transaction_session_timeout = 0; set local transaction_timeout = 0');
  await client.query(`lock table ${table} in ${mode} mode`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid;
  let releasing: Promise<void> | undefined;
  const letGo = async () => {
    await client.query('rollback');
    client.release();
  };
  const waiting = async () => {
    const found = await pool.query<{ pid: number; query: string }>(
      'select pid, query from pg_stat_activity where $1 = any (pg_blocking_pids(pid))',
      [pid],
    );
    return found.rows;
  };
  return {
    async waitedForBy(words) {
      await eventually(async () => {
        if (!(await waiting()).some(({ query }) => query.includes(words))) throw new Error(`no "${words}" waits`);
      });
    },
    async refuseWaiting() {
      const pids = (await waiting()).map((one) => one.pid);
      await pool.query('select pg_terminate_backend(pid, 5000) from unnest($1::int[]) pid', [pids]);
    },
    release: () => (releasing ??= letGo()),
  };
}

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
