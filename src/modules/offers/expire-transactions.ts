import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { releaseHold } from '#modules/ledger';
import { expireOverdue, selectOverdue, type TagTransactionRow } from './store.ts';
import { readTagTransaction } from './tag-transaction.ts';
import { publish } from './tag-transaction-event.ts';

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
      const row = await expireOverdue(tx, id, now);
      if (row !== undefined) await releaseMoney(tx, row, now);
      return row !== undefined;
    });
    if (isDone) expired += 1;
  }
  return expired;
}

async function releaseMoney(tx: Tx, { id, holdId }: TagTransactionRow, now: Date): Promise<void> {
  if (holdId === null) throw new Error(`transaction ${id} waited and held nothing`);
  await releaseHold(tx, holdId);
  await publish(tx, 'TRANSACTION_EXPIRED', await readTagTransaction(tx, id, now));
}
