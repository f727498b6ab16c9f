import type { Clock } from '#lib/clock.ts';
import { randomFraction } from '#lib/random.ts';
import { ATTEMPTS_MAX, askedDelayMs, type Backoff, retryDelayMs } from './backoff.ts';
import type { SendResult } from './send.ts';

/** How one attempt ended, and what becomes of its delivery. */
export interface AttemptResult {
  deliveryId: string;
  number: number;
  status: 'DELIVERED' | 'FAILED' | 'PENDING';
  /** With PENDING: the backoff, from the moment this is written. */
  retryInMs: number | null;
  /** For how long the receiver asked to be left alone. */
  askedMs?: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first bytes of the answer. */
  response: Buffer | null;
}

/** Decides what becomes of a delivery after an attempt: delivered, tried again after a delay or, after the fifth, failed. */
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

/** What the log says of an attempt. */
export const attemptLine = (of: { eventId: string; receiverId: string }, result: AttemptResult) => ({
  deliveryId: result.deliveryId,
  eventId: of.eventId,
  receiverId: of.receiverId,
  number: result.number,
  status: result.statusCode,
  durationMs: result.durationMs,
  error: result.error,
  delivery: result.status,
});
