import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { createKeyOpener } from '#modules/outbox';
import { deliveryNotFound } from './errors.ts';
import { selectRequest } from './request-store.ts';
import { signedHeaders } from './sign.ts';

/** What an attempt of a delivery sends. */
export interface WebhookRequest {
  /** Null when it is not kept any more; then there are no headers either. */
  body: string | null;
  /** As of the latest attempt, or as of now before the first; signed with the keys of today. */
  headers: Record<string, string>;
  /** The names of the headers of the endpoint's own. */
  ownHeaders: string[];
}

/** Another one in each attempt, and kept of none. */
const SPAN = /-[0-9a-f]{16}-/;

/**
 * What the latest attempt of a delivery sent, for its owner to compare with what arrived. What the headers of the endpoint's
 * own hold is not shown.
 *
 * @throws DomainError DELIVERY_NOT_FOUND, for somebody else's too
 */
export async function readRequest(
  { db, keyring, clock }: { db: Executor; keyring: Keyring; clock: Clock },
  { deliveryId, ownerId }: { deliveryId: string; ownerId: string },
): Promise<WebhookRequest> {
  const found = await selectRequest(db, { deliveryId, ownerId });
  if (found === undefined) throw deliveryNotFound();
  const { eventId, body, sequence, lastAttemptAt, headerNames, traceparent: trace, ...sealed } = found;
  const ownHeaders = headerNames ?? [];
  if (body === null) return { body, headers: {}, ownHeaders };
  const at = lastAttemptAt ?? clock.now();
  const keys = createKeyOpener(keyring)({ ...sealed, headersSealed: null }, at);
  const message = {
    eventId,
    body: Buffer.from(body),
    sequence: sequence === null ? null : String(sequence),
    traceparent: trace,
  };
  const { traceparent = '', ...headers } = signedHeaders(message, keys, at);
  return { body, headers: { ...headers, traceparent: traceparent.replace(SPAN, '-…-') }, ownHeaders };
}
