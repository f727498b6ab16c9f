import type { Clock } from '#lib/clock.ts';
import { randomFraction } from '#lib/random.ts';
import { ATTEMPTS_MAX, type Claim, type Outcome } from '#modules/outbox';
import { askedDelayMs, type Backoff, retryDelayMs } from './backoff.ts';
import type { SendResult } from './send.ts';

/** What becomes of a delivery after an attempt: delivered, tried again after a delay, or, after the fifth, failed. */
export function outcomeOf(
  { deliveryId, number }: Pick<Claim, 'deliveryId' | 'number'>,
  { statusCode, error, response, retryAfter, durationMs }: SendResult,
  { backoff, clock }: { backoff: Backoff; clock: Clock },
): Outcome {
  const askedMs = askedDelayMs(statusCode, retryAfter, clock.now());
  const sent = { deliveryId, number, statusCode, error, response, durationMs, askedMs, retryInMs: null };
  if (error === null) return { ...sent, status: 'DELIVERED' };
  if (number >= ATTEMPTS_MAX) return { ...sent, status: 'FAILED' };
  return { ...sent, status: 'PENDING', retryInMs: retryDelayMs(number, backoff, randomFraction(), askedMs) };
}
