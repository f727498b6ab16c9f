import { createHmac, randomUUID } from 'node:crypto';
import type { SigningKeys } from '#modules/outbox';

const SECRET_PREFIX = 'whsec_';
/** Sixteen hex digits of a random UUID, which Node generates in batches. */
const spanId = (): string => randomUUID().slice(19).replace('-', '');

/** What is sent. The signature covers exactly the bytes of `body`. */
export interface Message {
  /** The same in every attempt and resend. */
  eventId: string;
  body: Buffer;
  /** The position in the wallet's history, for sorting. */
  sequence: string | null;
  /** A span of the trace to continue. Null: the event's id is the trace id. */
  traceparent?: string | null;
}

/** All headers of one attempt. Without a trace to continue, the event's id is the trace id, so that our log can be searched by it. */
export function signedHeaders(message: Message, keys: SigningKeys, now: Date): Record<string, string> {
  const timestampS = Math.floor(now.getTime() / 1000);
  return {
    ...keys.headers,
    'content-type': 'application/json',
    'user-agent': 'PayTag-Webhooks/1',
    'R-Signature': contractSignature(keys.clientId, message.body),
    'webhook-id': message.eventId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': keys.secrets.map((secret) => standardSignature(secret, message, timestampS)).join(' '),
    traceparent: traceparentOf(message),
    ...(message.sequence === null ? {} : { 'webhook-sequence': message.sequence }),
  };
}

/** R-Signature: HMAC-SHA512 of the raw body, lower-case hex, keyed with the client id (interface.md, Delivery). */
const contractSignature = (clientId: string, body: Buffer): string =>
  createHmac('sha512', clientId).update(body).digest('hex');

/** webhook-signature of Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id, timestamp and body. */
function standardSignature(secret: string, { eventId, body }: Message, timestampS: number): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${eventId}.${timestampS}.`).update(body).digest('base64')}`;
}

/** A new span in each attempt. */
function traceparentOf({ eventId, traceparent }: Message): string {
  const [, traceId, , flags] = traceparent?.split('-') ?? [];
  return traceId === undefined
    ? `00-${eventId.replaceAll('-', '')}-${spanId()}-00`
    : `00-${traceId}-${spanId()}-${flags}`;
}
