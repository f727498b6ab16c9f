import { createHmac, randomUUID } from 'node:crypto';
import type { SigningKeys } from '#modules/outbox';

const SECRET_PREFIX = 'whsec_';
/** Sixteen hex digits of a random UUID, which Node makes many at a time. */
const spanId = (): string => randomUUID().slice(19).replace('-', '');

/** What is sent: `body` is signed as these very bytes. */
export interface Message {
  /** Stays the same in every attempt and resend. */
  eventId: string;
  body: Buffer;
  /** Position in the wallet's history, by which a receiver can sort. */
  sequence: string | null;
  /** A span of the trace that it goes on with; null: its trace begins with the event, whose id is the trace's. */
  traceparent?: string | null;
}

/** R-Signature: HMAC-SHA512 of the raw body, lower-case hex, keyed with the client id (interface.md, Delivery). */
const contractSignature = (clientId: string, body: Buffer): string =>
  createHmac('sha512', clientId).update(body).digest('hex');

/** webhook-signature of Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id, timestamp and body. */
function standardSignature(secret: string, { eventId, body }: Message, timestampS: number): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${eventId}.${timestampS}.`).update(body).digest('base64')}`;
}

/** Another span in each attempt, of the trace that it goes on with. */
function traceparentOf({ eventId, traceparent }: Message): string {
  const [, traceId, , flags] = traceparent?.split('-') ?? [];
  return traceId === undefined
    ? `00-${eventId.replaceAll('-', '')}-${spanId()}-00`
    : `00-${traceId}-${spanId()}-${flags}`;
}

/** All headers of one attempt. Of what is not traced the trace id is the event's id, so what our log says of it is found by that. */
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
