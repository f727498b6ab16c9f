import type { Clock } from '#lib/clock.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { getReceiver, type ReceiverHealth, readReceiver, updateReceiverUrl } from '#modules/outbox';
import { assertWebhookTarget } from './target.ts';

/**
 * Sends the events of an owner elsewhere from now on, those that wait included; with null they are kept until there is a
 * URL again.
 *
 * @throws DomainError WEBHOOK_TARGET_REFUSED, RECEIVER_NOT_FOUND
 */
export async function changeWebhookUrl(
  { transact, clock, webhooks }: { transact: Transact; clock: Clock; webhooks: { allowedCidrs: readonly string[] } },
  { actor, ownerId, url }: { actor: string; ownerId: string; url: string | null },
): Promise<ReceiverHealth> {
  if (url !== null) await assertWebhookTarget(url, webhooks);
  return transact(async (tx) => {
    const before = await readReceiver(tx, ownerId);
    await updateReceiverUrl(tx, { ownerId, url });
    await recordChange(tx, {
      actor,
      action: 'webhook.url',
      target: ownerId,
      before: { webhookUrl: before?.url ?? null },
      after: { webhookUrl: url },
    });
    return getReceiver(tx, ownerId, clock);
  });
}
