import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import { recordChange } from '#modules/audit';
import {
  insertEndpoint,
  lockAuthentic,
  newWebhookSecret,
  openClientId,
  sealHeaders,
  sealReceiverKeys,
} from '#modules/outbox';
import { getReceiver, type ReceiverHealth } from './get-receiver.ts';
import { setRate } from './receiver-store.ts';
import { assertWebhookTarget } from './target.ts';

/** Beside the default one. */
const ENDPOINTS_MAX = 10;

/** What an owner chooses for an endpoint; what is left out is not asked for. */
export interface EndpointChoice {
  description?: string | undefined;
  /** The events it wants; none named: all. */
  events?: readonly string[] | undefined;
  /** Headers of its own, which each request carries. They are kept sealed. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Attempts a second at most. */
  rate?: number | undefined;
  /** One event at a time of each wallet, in their order. */
  ordered?: boolean | undefined;
}

/**
 * Gives a partner or application another endpoint: each event from now on that it wants is delivered there too, signed with
 * a secret of its own, which is in this answer and nowhere else. Audited.
 *
 * @throws DomainError WEBHOOK_TARGET_REFUSED, RECEIVER_NOT_FOUND; ENDPOINT_LIMIT when ten stand beside the default one
 */
export async function createEndpoint(
  {
    transact,
    clock,
    keyring,
    webhooks,
  }: { transact: Transact; clock: Clock; keyring: Keyring; webhooks: { allowedCidrs: readonly string[] } },
  { actor, ownerId, url, ...chosen }: EndpointChoice & { actor: string; ownerId: string; url: string },
): Promise<ReceiverHealth & { secret: string }> {
  await assertWebhookTarget(url, webhooks);
  const secret = newWebhookSecret();
  return transact(async (tx) => {
    const standing = await lockAuthentic(tx, keyring, { ownerId });
    if (standing.others >= ENDPOINTS_MAX) {
      throw new DomainError(
        'ENDPOINT_LIMIT',
        `${ENDPOINTS_MAX} endpoints stand beside the default one: delete one first`,
      );
    }
    const { description = null, events = [], headers = {}, rate, ordered = false } = chosen;
    const id = timeOrderedId(clock.now());
    await insertEndpoint(tx, keyring, standing, {
      id,
      url,
      ...sealReceiverKeys(keyring, id, { clientId: openClientId(keyring, standing), secret }),
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

/** No event named stands for all of them. */
export const orAll = (events: readonly string[]): string[] | null => (events.length === 0 ? null : [...events]);

/** What the audit log says of a choice: of headers their names. */
export const audited = ({ headers, ...chosen }: { headers?: Readonly<Record<string, string>> | undefined }) => ({
  ...chosen,
  ...(headers && { headers: Object.keys(headers) }),
});
