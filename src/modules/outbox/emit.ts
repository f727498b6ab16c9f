import type { Tx } from '#lib/postgres/executor.ts';
import { wakeAfterCommit } from '#lib/postgres/transact.ts';
import { insertEvent, insertEventTo, type NewEvent } from './store.ts';

/**
 * Writes an event in the transaction of its cause: both are committed or neither is. It is delivered to each endpoint
 * of its owner that wants it.
 *
 * @returns its id; undefined when the owner has no receiver, and no event is written
 */
export async function emit(tx: Tx, event: NewEvent): Promise<string | undefined> {
  const id = await insertEvent(tx, event);
  wakeAfterCommit(tx);
  return id;
}

/**
 * Writes an event for one endpoint alone, whatever that wants: its name is one of those that `webhooks.is_for_one` knows.
 *
 * @returns its id
 */
export async function emitTo(tx: Tx, event: Parameters<typeof insertEventTo>[1]): Promise<string> {
  const id = await insertEventTo(tx, event);
  wakeAfterCommit(tx);
  return id;
}
