import type { Pool } from 'pg';
import { eventually } from '../support/eventually.ts';

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
