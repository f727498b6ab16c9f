import type { Tx } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { receiverNotFound } from './errors.ts';
import { type EmittedEvent, insertEventAlone } from './store.ts';

/**
 * Writes an event that tells of nothing but itself, as a test does.
 *
 * @returns the id of its delivery
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function emitAlone(tx: Tx, event: Omit<EmittedEvent, 'sequence'>): Promise<string> {
  const id = await insertEventAlone(tx, event);
  if (id === undefined) throw receiverNotFound();
  wakeAfterCommit(tx);
  return id;
}
