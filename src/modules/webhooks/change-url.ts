import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { updateReceiverUrl } from '#modules/outbox';
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
  {
    transact,
    clock,
    keyring,
    webhooks,
  }: { transact: Transact; clock: Clock; keyring: Keyring; webhooks: { allowedCidrs: readonly string[] } },
  { actor, ownerId, url }: { actor: string; ownerId: string; url: string | null },
): Promise<ReceiverHealth> {
  if (url !== null) await assertWebhookTarget(url, webhooks);
  return transact(async (tx) => {
    const before = await setWebhookUrl(tx, keyring, { ownerId, url });
    await recordChange(tx, {
      actor,
      action: 'webhook.url',
      target: ownerId,
      before: { webhookUrl: before.url },
      after: { webhookUrl: url },
    });
    return getReceiver(tx, ownerId, clock);
  });
}

/**
 * The same within a transaction, not audited. The failures of the old URL are forgotten. The URL was checked by the caller
 * (`assertWebhookTarget`).
 *
 * @returns where they went before
 * @throws DomainError RECEIVER_NOT_FOUND; AlteredRecord
 */
export async function setWebhookUrl(
  tx: Tx,
  keyring: Keyring,
  given: { ownerId: string; url: string | null },
): Promise<{ url: string | null }> {
  const before = await updateReceiverUrl(tx, keyring, given);
  await deleteBreaker(tx, before.id);
  wakeAfterCommit(tx);
  return before;
}
