import type { Tx } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { insertEvent, type NewEvent } from './store.ts';

/**
 * Writes an event in the transaction of its cause: both are committed or neither is. It is delivered to the receiver of its
 * owner.
 *
 * @returns its id; undefined when the owner has no receiver, and no event is written
 */
export async function emit(tx: Tx, event: NewEvent): Promise<string | undefined> {
  const id = await insertEvent(tx, event);
  wakeAfterCommit(tx);
  return id;
}
