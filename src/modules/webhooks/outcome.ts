import type { Clock } from '#lib/clock.ts';
import { undici } from '#lib/lazy.ts';
import { metricList } from '#lib/meter.ts';
import { randomFraction } from '#lib/random.ts';
import { BlockedTarget, DnsFailure } from './target.ts';

/** How sending ended. Without `error` the receiver has the event. */
export interface SendResult {
  statusCode: number | null;
  error: DeliveryError | `status ${number}` | null;
  /** The first 16 KiB of the answer. */
  response: Buffer | null;
  retryAfter: string | undefined;
  durationMs: number;
}

/** How one attempt ended, and the new state of its delivery. */
export interface AttemptResult {
  deliveryId: string;
  number: number;
  status: 'DELIVERED' | 'FAILED' | 'PENDING';
  /** With PENDING: the backoff, from the moment of recording. */
  retryInMs: number | null;
  /** What `Retry-After` of the answer asks for. */
  askedMs?: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first bytes of the answer. */
  response: Buffer | null;
}

/** The new state of a delivery after an attempt: delivered, retried after a delay or, after the fifth attempt, failed. */
export function attemptResult(
  { deliveryId, number }: Pick<AttemptResult, 'deliveryId' | 'number'>,
  { statusCode, error, response, retryAfter, durationMs }: SendResult,
  { backoff, clock }: { backoff: Backoff; clock: Clock },
): AttemptResult {
  const askedMs = askedDelayMs(statusCode, retryAfter, clock.now());
  const sent = { deliveryId, number, statusCode, error, response, durationMs, askedMs, retryInMs: null };
  if (error === null) return { ...sent, status: 'DELIVERED' };
  if (number >= ATTEMPTS_MAX) return { ...sent, status: 'FAILED' };
  return { ...sent, status: 'PENDING', retryInMs: retryDelayMs(number, backoff, randomFraction(), askedMs) };
}

/** The fields of the log line of an attempt. */
export const attemptLine = (of: { eventId: string; receiverId: string }, result: AttemptResult) => ({
  event: 'webhook.attempt',
  deliveryId: result.deliveryId,
  eventId: of.eventId,
  receiverId: of.receiverId,
  number: result.number,
  status: result.statusCode,
  durationMs: result.durationMs,
  error: result.error,
  delivery: result.status,
});

/** Automatic attempts of one delivery, ever (interface.md, Events). A resend is another delivery. */
export const ATTEMPTS_MAX = 5;
const GROWTH = 4;
const RETRY_AFTER_MAX_MS = 60 * 60 * 1000;

/** The statuses whose Retry-After counts (RFC 6585, 4; RFC 9110, 15.6.4). */
const WITH_RETRY_AFTER = new Set([429, 503]);

export interface Backoff {
  baseMs: number;
  /** Share of the delay by which it may vary, either way: 0 to 1. */
  jitter: number;
}

/**
 * Milliseconds from the end of attempt `number` to the next: base · 4^(number−1) ± jitter, or `askedMs` if that is longer.
 * `random` is in [0, 1).
 */
export function retryDelayMs(number: number, { baseMs, jitter }: Backoff, random: number, askedMs = 0): number {
  const delayMs = baseMs * GROWTH ** (number - 1) * (1 + jitter * (2 * random - 1));
  return Math.round(Math.max(delayMs, askedMs));
}

/** Retry-After of a 429 or 503 in milliseconds, an hour at most: seconds or a date (RFC 9110, 10.2.3). 0 without one. */
export function askedDelayMs(statusCode: number | null, retryAfter: string | undefined, now: Date): number {
  if (statusCode === null || !WITH_RETRY_AFTER.has(statusCode) || retryAfter === undefined) return 0;
  const isSeconds = /^\d{1,9}$/.test(retryAfter);
  const asked = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(0, asked), RETRY_AFTER_MAX_MS);
}

/**
 * The values of `lastError`, in addition to `status` with the number. They hold no address. The last two mean that a delivery
 * was abandoned without an attempt.
 */
export const deliveryErrors = {
  timeout: 'No answer came in time',
  dns: 'The name of the server was not found',
  refused: 'No server listens on this address',
  unreachable: 'No connection could be made',
  reset: 'The connection broke before an answer',
  tls: 'The certificate or the encryption is not valid',
  'not http': 'The answer does not begin with a status line of HTTP',
  'blocked target': 'The address is private, or not https',
  interrupted: 'The sending process ended, so it is unknown whether the webhook arrived',
  internal: 'A fault of this server; nothing was sent',
  'endpoint deleted': 'Abandoned without an attempt: the endpoint was deleted',
  'waited too long': 'Abandoned without an attempt: pending for too long',
} as const;

export type DeliveryError = keyof typeof deliveryErrors;

const classes: Readonly<Record<string, DeliveryError>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'not http',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not http',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'not http',
  UND_ERR_CLOSED: 'interrupted',
  UND_ERR_DESTROYED: 'interrupted',
  UND_ERR_ABORTED: 'interrupted',
  EPROTO: 'tls',
};

/** Errors of TLS, and of OpenSSL for a chain of certificates (X509_verify_cert_error_string(3)). */
const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EMAIL_MISMATCH|IP_ADDRESS_MISMATCH|INVALID_(?:CA|PURPOSE|EXTENSION|NON_CA)|PATH_LENGTH_|KEYUSAGE_|EE_KEY_|CA_|AKID_|SUBJECT_ISSUER_|UNHANDLED_CRITICAL_|SUITE_B_|OCSP_)/;

/** The class of an error of sending. An unknown one is `reset` or `unreachable`, depending on whether there was a connection. */
export function errorClass(error: unknown, isConnected: boolean): DeliveryError {
  if (error instanceof BlockedTarget) return 'blocked target';
  if (error instanceof DnsFailure) return 'dns';
  if (error instanceof undici().errors.HTTPParserError) return 'not http';
  const code = String(Object(error).code);
  return classes[code] ?? (TLS.test(code) ? 'tls' : isConnected ? 'reset' : 'unreachable');
}

const labels = metricList.paytag_webhook_attempts_total.labels.outcome;

/** The outcome of an attempt as a metric label. */
type AttemptLabel = (typeof labels)[number];

const byError: ReadonlyMap<string, AttemptLabel> = new Map([
  ...labels.map((label) => [label, label] as const),
  ['blocked target', 'blocked'],
]);

const STATUS = /^status ([2345])\d\d$/;

/** The label for an attempt's error; null is no error. */
export function attemptLabel(error: string | null): AttemptLabel {
  if (error === null) return 'delivered';
  const [, hundreds] = STATUS.exec(error) ?? [];
  if (hundreds !== undefined) return `status_${hundreds as '2' | '3' | '4' | '5'}xx`;
  return error.startsWith('status ') ? 'status_other' : (byError.get(error) ?? 'other');
}
