import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { getDelivery, readRequest, type WebhookRequest } from '#modules/webhooks';

/** A delivery with every attempt, and what it sends. @throws DomainError DELIVERY_NOT_FOUND */
export async function readDelivery(
  deps: { db: Database; keyring: Keyring; clock: Clock },
  id: string,
): Promise<Awaited<ReturnType<typeof getDelivery>> & { request: WebhookRequest }> {
  const delivery = await getDelivery(deps.db, id);
  return { ...delivery, request: await readRequest(deps, { deliveryId: id, ownerId: delivery.ownerId }) };
}
