import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { liveEnv, realProviders } from '../support/variables.ts';
import { refused } from '../unit/config/refused.ts';

const database = 'postgresql://server:pass@db.internal:5432/paytag';
const live: Record<string, string> = { ...liveEnv, DATABASE_URL: `${database}?sslmode=verify-full` };
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(live).filter(([name]) => !names.includes(name)));
const linesOf = (env: Record<string, string>) => refused(env).split('\n');

it('V13.2.3: live with everything as it must be is taken', () => {
  expect(readConfig({}, live)).toMatchObject({ environment: 'live', operatorPort: 9465, approvalAbove: 100_000_000n });
});

it('V13.2.3: all that is wrong is named at once, in the order of the guide, and no line shows a value', () => {
  const weak = { MASTER_KEY: '00'.repeat(32), OPERATOR_TOKEN: 'a'.repeat(32), DATABASE_URL: database, PORT: 'many' };
  const simulators = { BVN_PROVIDER: 'simulator', EMAIL_PROVIDER: 'simulator', WEBHOOK_TIMEOUT: '5' };
  const env = { ...without('PUBLIC_URL', 'OPERATOR_PORT', 'METRICS_PORT', 'APPROVAL_ABOVE'), ...weak, ...simulators };
  const lines = linesOf(env);
  expect(lines.map((line) => line.split(' is ')[0])).toEqual([
    'PORT',
    'PUBLIC_URL',
    'DATABASE_URL',
    'OPERATOR_TOKEN',
    'MASTER_KEY',
    'OPERATOR_PORT',
    'METRICS_PORT',
    'APPROVAL_ABOVE',
    'BVN_PROVIDER',
    'EMAIL_PROVIDER',
    'WEBHOOK_TIMEOUT',
  ]);
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[A-Z_]+ is (missing|not valid): .+ \(.+\)$/);
  for (const value of [...Object.values(weak), 'pass']) expect(lines.join('\n')).not.toContain(value);
});

describe('V13.3.1: live takes no secret that is missing', () => {
  it.each(['DATABASE_URL', 'MASTER_KEY', 'OPERATOR_TOKEN', ...Object.keys(realProviders)])('%s', (name) => {
    expect(linesOf(without(name))).toEqual([expect.stringMatching(new RegExp(`^${name} is missing: `))]);
  });
});

describe('V11.5.1: live takes no MASTER_KEY that nobody drew at random', () => {
  it.each([
    ['one byte', '00'.repeat(32)],
    ['one byte of our tests', '5c'.repeat(32)],
    ['few different bytes', '0123456789abcdef'.repeat(4)],
    ['half of it twice', 'b7f2c91e4a6d830f5ce81739d24ba06f'.repeat(2)],
    ['a sequence', Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, '0')).join('')],
    ['a sequence backwards', Array.from({ length: 32 }, (_, at) => (255 - at).toString(16)).join('')],
  ])('%s', (_, MASTER_KEY) => {
    expect(linesOf({ ...live, MASTER_KEY })).toEqual([
      expect.stringMatching(/^MASTER_KEY is not valid: plainly not random/),
    ]);
  });
});

describe('V11.5.1: live takes no OPERATOR_TOKEN that nobody drew at random, nor a sandbox’s', () => {
  it.each([
    'a'.repeat(32),
    'abc'.repeat(12),
    'op_sandbox_of_the_tests_0123456789abcdefghijklm',
    'op_sandbox_Zk3vQ8xW1nB7cY5mR2tL9pD4sF6gH0jKaUeIoXqTzV',
    'this-is-an-example-of-an-operator-token',
    'changeme-changeme-before-production-x',
    '12345678901234567890123456789012',
  ])('%s', (OPERATOR_TOKEN) => {
    expect(linesOf({ ...live, OPERATOR_TOKEN })).toEqual([
      expect.stringMatching(/^OPERATOR_TOKEN is not valid: plainly not random/),
    ]);
  });
});

describe('V12.3.1: live reaches a database on another host by verified TLS alone', () => {
  const at = (place: string) => `postgresql://server:pass@${place}`;
  it.each([
    at('db.internal:5432/paytag'),
    at('10.0.0.5/paytag?sslmode=require'),
    at('db.internal/paytag?sslmode=disable'),
    at('db.internal/paytag?ssl=true'),
    at('db.internal/paytag?sslmode=verify-full&sslmode=no-verify'),
    at('localhost/paytag?host=db.internal'),
    at('127.0.0.1.example/paytag'),
    at('[fd00::5]/paytag'),
  ])('%s is refused, for the server and for the owner', (url) => {
    for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL']) {
      expect(linesOf({ ...live, [name]: url })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is not valid: .*sslmode=verify-full`)),
      ]);
    }
  });

  it.each([
    at('db.internal/paytag?sslmode=verify-full'),
    at('127.0.0.1:5432/paytag'),
    at('localhost/paytag'),
    at('[::1]/paytag'),
    at('%2Fvar%2Frun%2Fpostgresql/paytag'),
  ])('%s is taken', (url) => {
    expect(readConfig({}, { ...live, DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

describe('V12.2.1: live hands out https links and tokens of an https issuer', () => {
  it.each(['', 'http://pay.example.com'])('not PUBLIC_URL=%s', (PUBLIC_URL) => {
    expect(linesOf({ ...live, PUBLIC_URL })).toEqual([
      expect.stringMatching(/^PUBLIC_URL is (missing|not valid): in live/),
    ]);
  });
});

describe('V13.4.5: live keeps operator and metrics off the public port', () => {
  it.each([
    [{ OPERATOR_PORT: '' }, /^OPERATOR_PORT is missing: /],
    [{ METRICS_PORT: '' }, /^METRICS_PORT is missing: /],
    [{ OPERATOR_PORT: '3000' }, /^OPERATOR_PORT is not valid: must be another port/],
    [{ METRICS_PORT: '3000' }, /^METRICS_PORT is not valid: must be another port/],
    [{ METRICS_PORT: '9465' }, /^METRICS_PORT is not valid: must be another port/],
  ])('%o is refused', (given, line) => {
    expect(linesOf({ ...live, ...given })).toEqual([expect.stringMatching(line)]);
  });
});

it('V13.2.2: a worker, which serves no operator, is given no operator token and needs none, in live too', () => {
  expect(
    readConfig({}, { ...without('OPERATOR_TOKEN', 'OPERATOR_PORT'), ROLE: 'worker' }).operatorToken,
  ).toBeUndefined();
  expect(linesOf({ ...without('OPERATOR_TOKEN'), ROLE: 'api' })).toEqual([
    expect.stringMatching(/^OPERATOR_TOKEN is missing/),
  ]);
});

it('V2.3.5: live does not start without the amount above which a second operator must approve', () => {
  expect(linesOf(without('APPROVAL_ABOVE'))).toEqual([expect.stringMatching(/^APPROVAL_ABOVE is missing: .*in naira/)]);
});

describe('V4.1.3: a proxy is believed by its address', () => {
  it.each(['0.0.0.0/0', '::/0', 'proxy.internal', '10/8', '10.0.0.0/33', '10.0.0.1;10.0.0.2', 'loopback'])(
    'TRUSTED_PROXIES=%s is refused at the start',
    (TRUSTED_PROXIES) => {
      expect(linesOf({ ...live, TRUSTED_PROXIES })).toEqual([
        expect.stringMatching(/^TRUSTED_PROXIES is not valid: must be addresses or ranges/),
      ]);
    },
  );
});
