import type { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { endpointNotFound, readReceiver } from '#modules/outbox';
import { selectDelivery } from './delivery-store.ts';
import { deliveryNotFound, deliveryPurged } from './errors.ts';
import { getDelivery } from './read-deliveries.ts';
import { insertResend } from './redelivery-store.ts';

/**
 * Delivers the event of an earlier delivery once more, at the request of an operator or, with `ownerId`, of its owner: a
 * new delivery with five attempts of its own, and the same event id for the receiver. The earlier one stays as it is. Audited.
 *
 * @returns the new delivery, due at once
 * @throws DomainError DELIVERY_NOT_FOUND, for somebody else's too; DELIVERY_PURGED when its body was purged;
 *   ENDPOINT_NOT_FOUND when its endpoint was deleted
 */
export async function resendDelivery(
  { transact }: { transact: Transact },
  {
    actor,
    deliveryId,
    ownerId,
    reason,
  }: { actor: string; deliveryId: string; ownerId?: string; reason?: string | undefined },
): ReturnType<typeof getDelivery> {
  return transact(async (tx) => {
    if (ownerId !== undefined) await getDelivery(tx, deliveryId, ownerId);
    const id = await insertResend(tx, deliveryId);
    if (id === undefined) throw await whyNot(tx, deliveryId);
    wakeAfterCommit(tx);
    await recordChange(tx, { actor, action: 'delivery.resend', target: deliveryId, after: { delivery: id }, reason });
    return getDelivery(tx, id);
  });
}

async function whyNot(tx: Tx, deliveryId: string): Promise<DomainError> {
  const found = await selectDelivery(tx, deliveryId);
  if (found === undefined) return deliveryNotFound();
  const endpoint = await readReceiver(tx, found.ownerId, found.endpointId);
  return endpoint === undefined ? endpointNotFound() : deliveryPurged();
}
