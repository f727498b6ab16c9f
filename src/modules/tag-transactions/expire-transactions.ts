import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { selectOverdue, updateStatus } from './store.ts';
import { releaseMoney } from './transition.ts';

/**
 * Expires at most `limit` transactions that nobody decided in time: their holds are released, and both sides get the
 * event. Each has a database transaction of its own, so that no two can wait for each other. Several processes may do so
 * at once.
 *
 * @returns how many
 */
export async function expireTransactions(
  { db, transact }: { db: Database; transact: Transact },
  limit: number,
  now: Date,
): Promise<number> {
  let expired = 0;
  for (const id of await selectOverdue(db, now, limit)) {
    const isDone = await transact(async (tx) => {
      const row = await updateStatus(tx, id, 'EXPIRED', {}, now);
      if (row !== undefined) await releaseMoney(tx, row, 'TRANSACTION_EXPIRED', now);
      return row !== undefined;
    });
    if (isDone) expired += 1;
  }
  return expired;
}
