import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';

/**
 * Makes the parts of the entries that are missing of this month and of the twelve after it. Any number of processes may do so
 * at once: one does, and the others leave it to that one. It waits for none of its three locks longer than a fifth of a second, and
 * fails then: the next run tries again.
 *
 * @returns how many it made
 */
export async function makeMonths(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ made: number }>(sql`
    select case when pg_try_advisory_xact_lock('ledger.entry'::regclass::oid::bigint) then ledger.make_months() else 0 end as made`);
  return rows[0]?.made ?? 0;
}
