import { sql } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';

/**
 * Adds to the balances of deferred accounts what postings have left to be added, at most `limit` movements. Any number of
 * processes may do so at once: none waits for another.
 *
 * @returns how many were added; 0 when there were none, or when somebody else is adding them
 */
export async function applyDeferred(db: Executor, limit: number): Promise<number> {
  const { rows } = await db.execute<{ applied: number }>(sql`select ledger.apply_deferred(${limit}) as applied`);
  return rows[0]?.applied ?? 0;
}
