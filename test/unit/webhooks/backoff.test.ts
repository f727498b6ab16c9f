import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askedDelayMs, retryDelayMs } from '../../../src/modules/webhooks/backoff.ts';

const HOUR_MS = 3_600_000;
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const backoff = fc.record({
  baseMs: fc.integer({ min: 1, max: HOUR_MS }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});
const attempt = fc.integer({ min: 1, max: 4 });

describe('the delay before the next attempt', () => {
  test('is base · 4^(n−1), off by no more than the jitter', () => {
    fc.assert(
      fc.property(attempt, backoff, fraction, (number, { baseMs, jitter }, random) => {
        const middle = baseMs * 4 ** (number - 1);
        const delay = retryDelayMs(number, { baseMs, jitter }, random);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(middle * (1 - jitter)));
        expect(delay).toBeLessThanOrEqual(Math.ceil(middle * (1 + jitter)));
      }),
    );
  });

  test('of the usual thirty seconds is 30 s, 2 min, 8 min, 32 min without jitter', () => {
    const delays = [1, 2, 3, 4].map((number) => retryDelayMs(number, { baseMs: 30_000, jitter: 0 }, 0.5));
    expect(delays).toEqual([30_000, 120_000, 480_000, 1_920_000]);
  });

  test('is never shorter than the receiver asked for, and never shorter than without asking', () => {
    fc.assert(
      fc.property(attempt, backoff, fraction, fc.integer({ min: 0, max: HOUR_MS }), (number, given, random, asked) => {
        const delay = retryDelayMs(number, given, random, asked);
        const unasked = retryDelayMs(number, given, random);
        expect(delay).toBe(Math.max(unasked, asked));
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-03-01T12:00:00Z');

  test('counts on 429 and 503, as seconds or as a date', () => {
    expect(askedDelayMs(429, '120', now)).toBe(120_000);
    expect(askedDelayMs(503, 'Sun, 01 Mar 2026 12:00:30 GMT', now)).toBe(30_000);
    expect(askedDelayMs(503, 'Sun, 01 Mar 2026 11:00:00 GMT', now)).toBe(0);
  });

  test('counts up to an hour', () => {
    expect(askedDelayMs(429, '3600', now)).toBe(HOUR_MS);
    expect(askedDelayMs(429, '999999999', now)).toBe(HOUR_MS);
    expect(askedDelayMs(503, 'Sun, 01 Mar 2037 12:00:30 GMT', now)).toBe(HOUR_MS);
  });

  test('counts for nothing on other answers, without one, or when it is nonsense', () => {
    expect(askedDelayMs(500, '120', now)).toBe(0);
    expect(askedDelayMs(null, '120', now)).toBe(0);
    expect(askedDelayMs(429, undefined, now)).toBe(0);
    expect(askedDelayMs(429, 'soon', now)).toBe(0);
    expect(askedDelayMs(429, '-5', now)).toBe(0);
  });
});
