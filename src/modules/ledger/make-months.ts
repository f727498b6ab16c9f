import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';

/**
 * Makes the parts of the entries that are missing of this month and of the twelve after it. Any number of processes may do so
 * at once. It waits for no lock longer than a fifth of a second, and fails then: the next run tries again.
 *
 * @returns how many it made
 */
export async function makeMonths(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ made: number }>(sql`select ledger.make_months() as made`);
  return rows[0]?.made ?? 0;
}
