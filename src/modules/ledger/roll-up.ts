import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';

/**
 * Folds what postings left to be added to the balances of deferred accounts, at most `limit` movements. Several may do so
 * at once: none waits for another.
 *
 * @returns how many; 0 when there were none, or somebody else is folding them
 */
export async function rollUp(db: Executor, limit: number): Promise<number> {
  const { rows } = await db.execute<{ folded: number }>(sql`select ledger.roll_up(${limit}) as folded`);
  return rows[0]?.folded ?? 0;
}
