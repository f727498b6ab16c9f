import type { Clock } from '#lib/clock.ts';
import type { Tx } from '#lib/database.ts';
import { type Transact, wakeAfterCommit } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { readReceiver, updateReceiverUrl } from '#modules/outbox';
import { getReceiver, type ReceiverHealth } from './get-receiver.ts';
import { deleteBreaker } from './receiver-store.ts';
import { assertWebhookTarget } from './target.ts';

/**
 * Sends the events of an owner elsewhere from now on, those that wait included; with null they are held until there is a
 * URL again. Audited.
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
    await setWebhookUrl(tx, { ownerId, url });
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

/**
 * The same within a transaction, not audited. The failures of the old URL are forgotten. The URL was checked by the caller
 * (`assertWebhookTarget`).
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function setWebhookUrl(tx: Tx, { ownerId, url }: { ownerId: string; url: string | null }): Promise<void> {
  const { id } = await updateReceiverUrl(tx, ownerId, url);
  await deleteBreaker(tx, id);
  wakeAfterCommit(tx);
}
