import type { Tx } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { deliveryNotFound, deliveryPurged } from './errors.ts';
import { insertResend, selectDelivery } from './store.ts';

/**
 * Delivers the event of an earlier delivery once more: a new delivery with five attempts of its own, due at once, and the
 * same event id for the receiver. The earlier one stays as it is.
 *
 * @throws DomainError DELIVERY_NOT_FOUND, DELIVERY_PURGED
 */
export async function resendDelivery(tx: Tx, deliveryId: string): Promise<{ id: string }> {
  const id = await insertResend(tx, deliveryId);
  if (id === undefined) throw (await selectDelivery(tx, deliveryId)) ? deliveryPurged() : deliveryNotFound();
  wakeAfterCommit(tx);
  return { id };
}
