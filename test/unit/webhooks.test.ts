import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertWebhookTarget } from '#modules/webhooks';
import { askedDelayMs, attemptLabel, retryDelayMs } from '../../src/modules/webhooks/outcome.ts';
import { listed } from '../support/cases.ts';

const PUBLIC = ['93.184.216.34'];
const names: Record<string, string[]> = {
  'partner.example': PUBLIC,
  'six.example': ['2606:2800:220:1::1'],
  'inside.example': ['10.0.0.8'],
  'half.example': ['93.184.216.34', '192.168.1.1'],
  'loop.example': ['127.0.0.1'],
};
const resolve = (host: string) => {
  const found = names[host];
  return found === undefined ? Promise.reject(new Error('no such name')) : Promise.resolve(found);
};
const check = (url: string, allowed: string[] = []) => assertWebhookTarget(url, { allowedCidrs: allowed }, resolve);

describe('a webhook URL that may be saved', () => {
  test.each([
    'https://partner.example/hook?from=paytag',
    'https://partner.example:8443/hook',
    'https://six.example/hook',
    'https://93.184.216.34/hook',
    'https://[2606:2800:220:1::1]/hook',
    'https://not-yet.example/hook',
  ])('%s', async (url) => {
    await expect(check(url)).resolves.toBeUndefined();
  });

  test.each(['http://127.0.0.1:4000/hook', 'http://loop.example/hook', 'https://127.0.0.1/hook'])(
    '%s, where its range is allowed',
    async (url) => {
      await expect(check(url, ['127.0.0.0/8'])).resolves.toBeUndefined();
    },
  );
});

describe('a webhook URL that is refused', () => {
  test.each([
    ['http://partner.example/hook', 'https'],
    ['ftp://partner.example/hook', 'https'],
    ['partner.example/hook', 'be a URL'],
    ['https://user:secret@partner.example/hook', 'user name'],
    ['https://partner.example/hook#part', 'fragment'],
    ['https://partner.example/hook#', 'fragment'],
    ['https:partner.example/hook', 'written as it is read'],
    ['https://partner.example\\\\@evil.example/', 'written as it is read'],
    ['https://partner.example/a/../b', 'written as it is read'],
    ['https://partner.example:443/hook', 'written as it is read'],
    ['https://127.1/hook', 'written as it is read'],
    ['https://PARTNER.example/hook', 'written as it is read'],
    ['https://partner.example:25/hook', 'port'],
    ['https://partner.example:22/hook', 'port'],
    ['https://partner.example:80/hook', 'port'],
    [`https://partner.example/${'a'.repeat(2_000)}`, '2000'],
    ['https://inside.example/hook', 'public'],
    ['https://half.example/hook', 'public'],
    ['https://localhost/hook', 'public'],
  ])('%s, because of its %s', async (url, reason) => {
    const resolved = url.includes('localhost') ? () => Promise.resolve(['127.0.0.1', '::1']) : resolve;
    await expect(assertWebhookTarget(url, { allowedCidrs: [] }, resolved)).rejects.toMatchObject({
      code: 'WEBHOOK_TARGET_REFUSED',
      message: expect.stringMatching(new RegExp(`^the webhook URL must .*${reason}`)),
    });
  });

  test.each(listed`
    0.0.0.0 | 10.1.2.3 | 100.64.0.1 | 127.0.0.1 | 0x7f.1 | 2130706433 | 0177.0.0.1 | 169.254.169.254
    172.16.0.1 | 192.0.0.192 | 192.168.0.1 | 198.18.0.1 | 203.0.113.7 | 224.0.0.1 | 255.255.255.255
    168.63.129.16 | [::] | [::1] | [::ffff:127.0.0.1] | [::ffff:a9fe:a9fe] | [::127.0.0.1] | [64:ff9b::7f00:1]
    [2002:7f00:1::] | [2001::1] | [2001:db8::1] | [fc00::1] | [fd00:ec2::254] | [fe80::1] | [fec0::1]
    [ff02::1]
  `)('https://%s, which is no public address', async (host) => {
    await expect(check(`https://${host}/hook`)).rejects.toMatchObject({ code: 'WEBHOOK_TARGET_REFUSED' });
  });

  test('http to a public address, even where private ranges are allowed', async () => {
    await expect(check('http://partner.example/hook', ['127.0.0.0/8'])).rejects.toMatchObject({
      message: expect.stringContaining('https for a public address'),
    });
    await expect(check('http://not-yet.example/hook', ['127.0.0.0/8'])).rejects.toMatchObject({
      message: expect.stringContaining('with an address'),
    });
  });
});

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

test.each([
  [null, 'delivered'],
  ['timeout', 'timeout'],
  ['dns', 'dns'],
  ['refused', 'refused'],
  ['unreachable', 'unreachable'],
  ['reset', 'reset'],
  ['tls', 'tls'],
  ['blocked target', 'blocked'],
  ['status 204', 'status_2xx'],
  ['status 301', 'status_3xx'],
  ['status 429', 'status_4xx'],
  ['status 503', 'status_5xx'],
  ['status 999', 'status_other'],
  ['not http', 'other'],
  ['interrupted', 'other'],
  ['anything else', 'other'],
])('an attempt that ended with %j counts as %s', (error, expected) => {
  expect(attemptLabel(error)).toBe(expected);
});
