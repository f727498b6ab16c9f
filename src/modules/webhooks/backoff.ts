/** Automatic attempts of one delivery, ever (interface.md, Events). A resend is another delivery. */
export const ATTEMPTS_MAX = 5;

const GROWTH = 4;
const RETRY_AFTER_MAX_MS = 60 * 60 * 1000;
/** The answers that may say when to come again (RFC 6585, 4; RFC 9110, 15.6.4). */
const WAITING = new Set([429, 503]);

export interface Backoff {
  baseMs: number;
  /** Share of the delay by which it may vary, either way: 0 to 1. */
  jitter: number;
}

/**
 * Milliseconds from the end of attempt `number` to the next: base · 4^(number−1) ± jitter. A receiver that asked for
 * more time gets it. `random` is in [0, 1).
 */
export function retryDelayMs(number: number, { baseMs, jitter }: Backoff, random: number, askedMs = 0): number {
  const delayMs = baseMs * GROWTH ** (number - 1) * (1 + jitter * (2 * random - 1));
  return Math.round(Math.max(delayMs, askedMs));
}

/**
 * What Retry-After of a 429 or 503 asks for, in milliseconds, an hour at most: seconds or a date (RFC 9110, 10.2.3). 0
 * when nothing.
 */
export function askedDelayMs(statusCode: number | null, retryAfter: string | undefined, now: Date): number {
  if (statusCode === null || !WAITING.has(statusCode) || retryAfter === undefined) return 0;
  const isSeconds = /^\d{1,9}$/.test(retryAfter);
  const asked = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(0, asked), RETRY_AFTER_MAX_MS);
}
