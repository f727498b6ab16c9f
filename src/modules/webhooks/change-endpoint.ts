import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { changeEndpoint as change, lockAuthentic, sealHeaders } from '#modules/outbox';
import { audited, type EndpointChoice, orAll } from './create-endpoint.ts';
import { getReceiver, type ReceiverHealth } from './get-receiver.ts';
import { deleteBreaker, setRate } from './receiver-store.ts';
import { assertWebhookTarget } from './target.ts';

/** What is null is taken away; what is left out stays. */
type Change = { [Name in keyof EndpointChoice]?: EndpointChoice[Name] | null } & { url?: string | undefined };

/**
 * Changes an endpoint, the default one too. Another URL is sent what waits as well, and the failures of the old one are
 * forgotten; which events it wants, and whether in order, counts for events from now on. Audited.
 *
 * @throws DomainError WEBHOOK_TARGET_REFUSED, ENDPOINT_NOT_FOUND
 */
export async function changeEndpoint(
  {
    transact,
    clock,
    keyring,
    webhooks,
  }: { transact: Transact; clock: Clock; keyring: Keyring; webhooks: { allowedCidrs: readonly string[] } },
  { actor, ownerId, endpointId, ...asked }: Change & { actor: string; ownerId: string; endpointId: string },
): Promise<ReceiverHealth> {
  const { url, description, events, headers, rate, ordered } = asked;
  if (url !== undefined) await assertWebhookTarget(url, webhooks);
  return transact(async (tx) => {
    const before = await lockAuthentic(tx, keyring, { ownerId, endpointId });
    const now = await change(tx, keyring, before, {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(events !== undefined && { events: orAll(events ?? []) }),
      ...(headers !== undefined && sealHeaders(keyring, before.id, headers ?? {})),
      ...(ordered !== undefined && { ordered: ordered ?? false }),
    });
    if (rate !== undefined) await setRate(tx, before.id, rate);
    if (url !== undefined && url !== before.url) await deleteBreaker(tx, before.id);
    wakeAfterCommit(tx);
    const { headers: _h, rate: _r, url: _u, events: _e, ...rest } = asked;
    await recordChange(tx, {
      actor,
      action: 'endpoint.change',
      target: ownerId,
      before: {
        webhookUrl: before.url,
        description: before.description,
        events: before.events,
        ordered: before.ordered,
      },
      after: {
        endpoint: before.id,
        rate,
        ...audited({ ...rest, headers: headers ?? undefined }),
        webhookUrl: now.url,
        events: now.events,
      },
    });
    return getReceiver(tx, ownerId, clock, endpointId);
  });
}
