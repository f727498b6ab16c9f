import { recordChange } from '#modules/audit';
import { getDelivery, resendDelivery } from '#modules/outbox';
import type { Resources } from '../../resources.ts';

/**
 * Delivers the event of an earlier delivery once more, on an operator's word.
 *
 * @returns the new delivery, due at once
 * @throws DomainError DELIVERY_NOT_FOUND
 */
export async function resend(
  { db, wake }: Pick<Resources, 'db' | 'wake'>,
  { actor, deliveryId }: { actor: string; deliveryId: string },
): ReturnType<typeof getDelivery> {
  const created = await db.transaction(async (tx) => {
    const { id } = await resendDelivery(tx, deliveryId);
    await recordChange(tx, { actor, action: 'delivery.resend', target: deliveryId, after: { delivery: id } });
    return getDelivery(tx, id);
  });
  wake();
  return created;
}
