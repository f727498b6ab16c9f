import type { Executor, Tx } from '#lib/database.ts';
import { selectLongFailing } from './failing-store.ts';
import { type ReceiverChange, setPaused } from './set-paused.ts';

/** Owners of receivers that have failed for so long without a success, `limit` of them at most. */
export async function findLongFailing(db: Executor, hours: number, limit: number): Promise<string[]> {
  return (await selectLongFailing(db, hours, { limit })).map(({ ownerId }) => ownerId);
}

/** Pauses a receiver that fails so long, on the system's word; undefined when it was paused or has recovered meanwhile. */
export async function pauseIfFailing(tx: Tx, ownerId: string, hours: number): Promise<ReceiverChange | undefined> {
  const [failing] = await selectLongFailing(tx, hours, { limit: 1, ownerId });
  if (failing === undefined) return undefined;
  const reason = `no delivery has succeeded since ${failing.failingSince.toISOString()}`;
  return setPaused(tx, ownerId, { by: 'SYSTEM', reason });
}
