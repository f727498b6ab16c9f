import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { getDelivery, resendDelivery } from '#modules/outbox';

/**
 * Delivers the event of an earlier delivery once more, on the word of an operator or, with `ownerId`, of its owner.
 *
 * @returns the new delivery, due at once
 * @throws DomainError DELIVERY_NOT_FOUND, for somebody else's too; DELIVERY_PURGED when its body was forgotten
 */
export async function resend(
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
    const { id } = await resendDelivery(tx, deliveryId);
    await recordChange(tx, { actor, action: 'delivery.resend', target: deliveryId, after: { delivery: id }, reason });
    return getDelivery(tx, id);
  });
}
