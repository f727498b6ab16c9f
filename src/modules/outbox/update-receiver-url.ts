import type { Tx } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { receiverNotFound } from './errors.ts';
import { type Receiver, withoutKeys } from './read-receiver.ts';
import { deleteBreaker } from './receiver-store.ts';
import { setReceiverUrl } from './store.ts';

/**
 * Sends the events of an owner to another URL from now on, those still pending included: the failures of the old one are
 * forgotten. Null keeps them until there is
 * one again. The URL was checked by the caller (`assertWebhookTarget`).
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function updateReceiverUrl(
  tx: Tx,
  { ownerId, url }: { ownerId: string; url: string | null },
): Promise<Receiver> {
  const updated = await setReceiverUrl(tx, ownerId, url);
  if (updated === undefined) throw receiverNotFound();
  await deleteBreaker(tx, updated.id);
  wakeAfterCommit(tx);
  return withoutKeys(updated);
}
