import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256 } from '#lib/crypto/digest.ts';
import { readConfig } from '../../../src/config/config.ts';
import { isWeakSecret } from '../../../src/config/weak-secrets.ts';
import { liveEnv, realProviders, refused } from '../../support/variables.ts';

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
    ['counting in decimal', Array.from({ length: 32 }, (_, at) => String(at + 1).padStart(2, '0')).join('')],
    ['text', Buffer.from('this is my very secret key 12345').toString('hex')],
    ['the digest of nothing', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['the digest of a word', sha256('password').toString('hex')],
    ['a sequence backwards', Array.from({ length: 32 }, (_, at) => (255 - at).toString(16)).join('')],
  ])('%s', (_, MASTER_KEY) => {
    expect(linesOf({ ...live, MASTER_KEY })).toEqual([
      expect.stringMatching(/^MASTER_KEY is not valid: is not random/),
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
    `op_live_${'x'.repeat(40)}`,
    `op_live_${'xy'.repeat(20)}`,
    'my-operator-token-for-production-1',
    'qwertyuiopasdfghjklzxcvbnm123456',
    'correct-horse-battery-staple-2026',
  ])('%s', (OPERATOR_TOKEN) => {
    expect(linesOf({ ...live, OPERATOR_TOKEN })).toEqual([
      expect.stringMatching(/^OPERATOR_TOKEN is not valid: is not random/),
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
    'postgresql:///paytag',
  ])('%s is refused, for the server and for the owner', (url) => {
    for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL']) {
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
    'postgresql:///paytag?host=/var/run/postgresql',
  ])('%s is taken', (url) => {
    expect(readConfig({}, { ...live, DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

describe('V12.2.1: live hands out https links and tokens of an https issuer', () => {
  it.each(['', 'http://pay.example.com', 'https://localhost', 'https://127.0.0.1:8443', 'https://[::1]'])(
    'not PUBLIC_URL=%s',
    (PUBLIC_URL) => {
      expect(linesOf({ ...live, PUBLIC_URL })).toEqual([
        expect.stringMatching(/^PUBLIC_URL is (missing|not valid): in live/),
      ]);
    },
  );
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

  it.each(['0.0.0.0/1,128.0.0.0/1', '0.0.0.0/2', '::ffff:0:0/96', '::/3', '2000::/3', '2000::/5', '2000::/6,2400::/6'])(
    'live refuses TRUSTED_PROXIES=%s, which is a quarter of all addresses',
    (TRUSTED_PROXIES) => {
      expect(linesOf({ ...live, TRUSTED_PROXIES })).toEqual([
        expect.stringMatching(/^TRUSTED_PROXIES is not valid: in live they must be your proxies/),
      ]);
    },
  );

  it.each([
    '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16',
    'fd00::/8',
    '::ffff:10.0.0.0/104',
    '173.245.48.0/20,2400:cb00::/32',
  ])('live takes TRUSTED_PROXIES=%s', (TRUSTED_PROXIES) => {
    expect(readConfig({}, { ...live, TRUSTED_PROXIES }).environment).toBe('live');
  });
});

it.each(['toLowerCase', 'toUpperCase'] as const)(
  'V13.3.1: live takes no OPERATOR_TOKEN that is MASTER_KEY, %s',
  (of) => {
    const MASTER_KEY = randomBytes(32).toString('hex');
    expect(linesOf({ ...live, MASTER_KEY, OPERATOR_TOKEN: MASTER_KEY[of]() })).toEqual([
      expect.stringMatching(/^OPERATOR_TOKEN is not valid: is the same as MASTER_KEY/),
    ]);
  },
);

it('V11.5.1: live takes what was drawn at random, however it is written', () => {
  for (let draw = 0; draw < 2_000; draw += 1) {
    const written = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex'), randomUUID()];
    const drawn = [...written, `op_live_${randomBytes(32).toString('base64url')}`, randomBytes(24).toString('base64')];
    expect([...drawn, randomBytes(32)].filter(isWeakSecret)).toEqual([]);
  }
});

it('V12.3.2: live verifies certificates', () => {
  expect(linesOf({ ...live, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
    expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED is not valid: in live certificates are verified/),
  ]);
});

it('V16.3.3: live is not silent', () => {
  expect(linesOf({ ...live, LOG_LEVEL: 'silent' })).toEqual([
    expect.stringMatching(/^LOG_LEVEL is not valid: in live/),
  ]);
});

it.each(['FEE_TRANSFER', 'FEE_SWITCH', 'FEE_COMMISSION', 'FEE_STAMP_DUTY', 'FEE_PARTNER_WALLET_DEBIT'])(
  'V2.2.1: live takes no %s of everything or more',
  (name) => {
    for (const charge of ['100%', '150%', '100%+10<=50']) {
      expect(linesOf({ ...live, [name]: charge })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is not valid: in live a charge must be less than 100%`)),
      ]);
    }
  },
);
