import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import { recordChange } from '#modules/audit';
import {
  changeEndpoint as change,
  insertEndpoint,
  lockAuthentic,
  lockReceiver,
  markDeleted,
  newWebhookSecret,
  openClientId,
  sealHeaders,
  sealReceiverKeys,
  updateReceiverUrl,
} from '#modules/outbox';
import { getReceiver, type ReceiverHealth } from './read-receivers.ts';
import { deleteBreaker, endDeliveriesOf, endPause, setRate } from './receiver-store.ts';
import { assertWebhookTarget } from './target.ts';

interface Deps {
  transact: Transact;
  clock: Clock;
  keyring: Keyring;
  webhooks: { allowedCidrs: readonly string[] };
}

/** In addition to the default one. */
const ENDPOINTS_MAX = 10;

/** The settings of an endpoint. */
export interface EndpointChoice {
  description?: string | undefined;
  /** Without any name: all events. */
  events?: readonly string[] | undefined;
  /** Sent with each request, stored sealed. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Attempts a second at most. */
  rate?: number | undefined;
  /** The events of each wallet one at a time, in their order. */
  ordered?: boolean | undefined;
}

/**
 * Creates another endpoint of a partner or application, for all later events that it wants. Its secret is in this answer and
 * nowhere else. Audited.
 *
 * @throws DomainError WEBHOOK_TARGET_REFUSED, RECEIVER_NOT_FOUND; ENDPOINT_LIMIT when the owner has ten already
 */
export async function createEndpoint(
  { transact, clock, keyring, webhooks }: Deps,
  { actor, ownerId, url, ...chosen }: EndpointChoice & { actor: string; ownerId: string; url: string },
): Promise<ReceiverHealth & { secret: string }> {
  await assertWebhookTarget(url, webhooks);
  const secret = newWebhookSecret();
  return transact(async (tx) => {
    const byDefault = await lockAuthentic(tx, keyring, { ownerId });
    if (byDefault.others >= ENDPOINTS_MAX) {
      throw new DomainError(
        'ENDPOINT_LIMIT',
        `there are ${ENDPOINTS_MAX} endpoints in addition to the default one: delete one first`,
      );
    }
    const { description = null, events = [], headers = {}, rate, ordered = false } = chosen;
    const id = timeOrderedId(clock.now());
    await insertEndpoint(tx, keyring, byDefault, {
      id,
      url,
      ...sealReceiverKeys(keyring, id, { clientId: openClientId(keyring, byDefault), secret }),
      description,
      events: orAll(events),
      ordered,
      ...sealHeaders(keyring, id, headers),
    });
    if (rate !== undefined) await setRate(tx, id, rate);
    const after = { endpoint: id, ...audited(chosen), webhookUrl: url, events: orAll(events) };
    await recordChange(tx, { actor, action: 'endpoint.create', target: ownerId, after });
    return { ...(await getReceiver(tx, ownerId, clock, id)), secret };
  });
}

/** Null stands for all events. */
const orAll = (events: readonly string[]): string[] | null => (events.length === 0 ? null : [...events]);

/** For the audit log: of headers only the names. */
const audited = ({ headers, ...chosen }: { headers?: Readonly<Record<string, string>> | undefined }) => ({
  ...chosen,
  ...(headers && { headers: Object.keys(headers) }),
});

/** Null removes a setting. */
type Change = { [Name in keyof EndpointChoice]?: EndpointChoice[Name] | null } & { url?: string | undefined };

/**
 * Changes an endpoint, including the default one. A new URL receives the pending deliveries too, and its breaker starts closed;
 * `events` and `ordered` count for later events. Audited.
 *
 * @throws DomainError WEBHOOK_TARGET_REFUSED, ENDPOINT_NOT_FOUND
 */
export async function changeEndpoint(
  { transact, clock, keyring, webhooks }: Deps,
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

/**
 * Changes the URL of the default endpoint, for pending deliveries too. Without a URL they are held. Audited.
 *
 * @throws DomainError WEBHOOK_TARGET_REFUSED, RECEIVER_NOT_FOUND
 */
export async function changeWebhookUrl(
  { transact, clock, keyring, webhooks }: Deps,
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
 * The same within a transaction, without audit or check of the URL (`assertWebhookTarget`). The breaker starts closed.
 *
 * @returns the URL before
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

/** Pending deliveries that end in this transaction. The worker ends the rest. */
const ENDED_AT_ONCE_MAX = 500;

/**
 * Deletes an endpoint, but not the default one. Its pending deliveries end as FAILED; the record of deliveries stays. Audited.
 *
 * @throws DomainError ENDPOINT_NOT_FOUND, ENDPOINT_IS_DEFAULT
 */
export async function deleteEndpoint(
  { transact, keyring }: { transact: Transact; keyring: Keyring },
  { actor, ownerId, endpointId }: { actor: string; ownerId: string; endpointId: string },
): Promise<void> {
  await transact(async (tx) => {
    await lockReceiver(tx, { ownerId }); // counts the others
    const locked = await lockAuthentic(tx, keyring, { ownerId, endpointId });
    const { id, defaultId, url } = locked;
    if (defaultId === null) {
      throw new DomainError('ENDPOINT_IS_DEFAULT', 'the default endpoint cannot be deleted: remove its URL instead');
    }
    await endPause(tx, id);
    await markDeleted(tx, keyring, { ...locked, defaultId });
    await setRate(tx, id, null);
    await endDeliveriesOf(tx, id, ENDED_AT_ONCE_MAX);
    await deleteBreaker(tx, id);
    const before = { endpoint: id, webhookUrl: url };
    await recordChange(tx, { actor, action: 'endpoint.delete', target: ownerId, before });
  });
}
