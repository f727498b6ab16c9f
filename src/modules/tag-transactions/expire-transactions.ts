import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { giveBack } from './close-transaction.ts';
import { selectOverdue, updateStatus } from './store.ts';

/**
 * Expires what nobody decided in time, at most `limit` of them: what was held is the sender's again, and both sides are
 * told. Each in a database transaction of its own, so that no two of them can wait for each other. Several processes may
 * do so at once.
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
    const isMine = await transact(async (tx) => {
      const row = await updateStatus(tx, id, 'EXPIRED', {}, now);
      if (row !== undefined) await giveBack(tx, row, 'TRANSACTION_EXPIRED', now);
      return row !== undefined;
    });
    if (isMine) expired += 1;
  }
  return expired;
}
