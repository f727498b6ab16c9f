import type { Pool } from 'pg';
import { eventually } from './eventually.ts';

/** A connection that holds row locks until `release`. */
export interface Locker {
  readonly pid: number;
  lock(table: string, ids: readonly number[]): Promise<void>;
  /** Resolves when somebody waits for it. */
  waitedFor(): Promise<void>;
  release(): Promise<void>;
}

export async function openLocker(pool: Pool): Promise<Locker> {
  const client = await pool.connect();
  // For as long as the test needs it.
  await client.query(
    'begin; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local transaction_timeout = 0',
  );
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const pid = Number(rows[0].pid);
  return {
    pid,
    async lock(table, ids) {
      await client.query(`select 1 from ${table} where id = any ($1) order by id for no key update`, [ids]);
    },
    waitedFor: () =>
      eventually(async () => {
        if ((await waitersFor(pool, pid)) === 0) throw new Error(`nobody waits for ${pid}`);
      }),
    async release() {
      await client.query('rollback');
      client.release();
    },
  };
}

/** How many connections wait for another. */
export async function waitersFor(pool: Pool, pid: number): Promise<number> {
  const { rows } = await pool.query(
    'select count(*)::int as n from pg_stat_activity where $1 = any (pg_blocking_pids(pid))',
    [pid],
  );
  return Number(rows[0].n);
}

/** Those of `ids` that somebody has locked. */
export async function lockedAmong(pool: Pool, table: string, ids: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query(`select id::int from ${table} where id = any ($1) for no key update skip locked`, [
    ids,
  ]);
  const free = new Set(rows.map(({ id }) => Number(id)));
  return ids.filter((id) => !free.has(id));
}
