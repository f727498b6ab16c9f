import type { Tx } from '../../lib/database.ts';
import { deliveryNotFound } from './errors.ts';
import { insertResend } from './store.ts';

/**
 * Delivers the event of an earlier delivery once more: a new delivery with five attempts of its own, due at once, and the
 * same event id for the receiver. The earlier one stays as it is. Wake the worker after the commit.
 *
 * @throws DomainError DELIVERY_NOT_FOUND
 */
export async function resendDelivery(tx: Tx, deliveryId: string): Promise<{ id: string }> {
  const id = await insertResend(tx, deliveryId);
  if (id === undefined) throw deliveryNotFound();
  return { id };
}
