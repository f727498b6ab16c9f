import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedDataDir, readVariables } from '../../../src/config/environment.ts';
import { ignoredTracing } from '../../../src/config/tracing.ts';
import { type Variables, variables } from '../../../src/config/variables.ts';
import { refuseUnfit } from '../../../src/providers/open-providers.ts';
import { listed } from '../../support/cases.ts';
import { liveEnv, RANGES, realProviders, refused, validValues } from '../../support/variables.ts';

const TOKEN = validValues['OPERATOR_TOKEN'] ?? '';
const KEY = validValues['MASTER_KEY'] ?? '';
const generated = { OPERATOR_TOKEN: TOKEN, MASTER_KEY: KEY };
const named = { DATABASE_URL: 'postgresql://app@db.internal:5432/app', OPERATOR_TOKEN: TOKEN, MASTER_KEY: KEY };
const staging = { ...named, ENVIRONMENT: 'staging' };

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-config-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('with nothing given', () => {
  test('it is the embedded sandbox, on this machine alone, with the secrets made for it', () => {
    const config = readVariables(generated, {});
    expect(config).toMatchObject({
      embedded: true,
      ENVIRONMENT: 'sandbox',
      HOST: '127.0.0.1',
      PORT: 3000,
      ROLE: 'all',
      WEBHOOK_BACKOFF_BASE_MS: 1000,
      WEBHOOK_BACKOFF_JITTER: 0.2,
      WEBHOOK_TIMEOUT_MS: 10_000,
      WEBHOOK_ALLOWED_CIDRS: ['127.0.0.0/8', '::1/128'],
      CUSTOMER_TOKEN_TTL_S: 1800,
      APPLICATION_TOKEN_TTL_S: 3600,
      AUTH_CODE_TTL_S: 120,
      APPLICATION_REGISTRATION: 'open',
      BVN_PROVIDER: 'simulator',
      OPERATOR_TOKEN: TOKEN,
      MASTER_KEY: Buffer.from(KEY, 'hex'),
    });
  });

  test('an empty variable is as none', () => {
    expect(readVariables(generated, { PORT: '', DATABASE_URL: '', MASTER_KEY_FILE: '' }).PORT).toBe(3000);
    expect(embeddedDataDir({ DATABASE_URL: '', DATA_DIR: '' })).toBe('.data');
  });
});

describe('the folder of the embedded sandbox', () => {
  test('is the one that was named, in a variable or in a file, and none with a database', async () => {
    expect(embeddedDataDir({ DATA_DIR: '/srv/paytag' })).toBe('/srv/paytag');
    expect(embeddedDataDir({ DATABASE_URL: 'postgres://x/y' })).toBeUndefined();
    const file = join(folder, 'data-dir');
    await writeFile(file, '/srv/other\n');
    expect(embeddedDataDir({ DATA_DIR_FILE: file })).toBe('/srv/other');
  });

  test.each(['staging', 'live', 'production'])('is none for %s, so that nothing is made in it', (ENVIRONMENT) => {
    expect(embeddedDataDir({ ENVIRONMENT })).toBeUndefined();
  });
});

describe('with a database', () => {
  test('the server listens for everybody and no webhook goes to a private address', () => {
    expect(readVariables({}, staging)).toMatchObject({
      embedded: false,
      HOST: '0.0.0.0',
      WEBHOOK_BACKOFF_BASE_MS: 30_000,
      WEBHOOK_ALLOWED_CIDRS: [],
    });
  });

  test('the environment must be said', () => {
    expect(refused(named)).toMatch(/^ENVIRONMENT is missing: .*sandbox, staging, live/);
  });

  test.each(['OPERATOR_TOKEN', 'MASTER_KEY'])(
    '%s must be given: what a sandbox made for itself does not count',
    (name) => {
      const { [name]: _, ...rest } = staging as Record<string, string>;
      expect(refused(rest, generated)).toMatch(new RegExp(`^${name} is missing: `));
    },
  );

  test('the owner’s login of a database is not taken without the server’s', () => {
    const read = () => readVariables(generated, { DATABASE_OWNER_URL: 'postgresql://owner@db.internal:5432/app' });
    expect(read).toThrow(/^DATABASE_URL is missing: DATABASE_OWNER_URL is given/);
  });

  test('DATABASE_URL_FILE names a database as well', async () => {
    const file = join(folder, 'database_url');
    await writeFile(file, `${named.DATABASE_URL}\n`);
    const { DATABASE_URL: _, ...rest } = staging;
    const env = { ...rest, DATABASE_URL_FILE: file };
    expect(readVariables({}, env)).toMatchObject({ embedded: false, DATABASE_URL: named.DATABASE_URL });
  });
});

describe('live', () => {
  const live = { DATABASE_URL: `${named.DATABASE_URL}?sslmode=verify-full`, ...liveEnv };

  test('is accepted with real providers', () => {
    expect(readVariables({}, live)).toMatchObject({ BVN_PROVIDER: 'dojah', EMAIL_SMTP_TLS: 'required' });
  });

  test('the limits are on that sandbox and staging leave off', () => {
    const limits = {
      RATE_LIMIT_CALLS_PER_S: 1000,
      RATE_LIMIT_BVNS_PER_D: 10_000,
      RATE_LIMIT_UNKNOWN_BVNS_PER_D: 100,
      RATE_LIMIT_REGISTRATIONS_PER_H: 10,
      RATE_LIMIT_REVEALS_PER_H: 20,
      RATE_LIMIT_FINDS_PER_H: 200,
    };
    expect(readVariables({}, live)).toMatchObject(limits);
    expect(readVariables({}, staging)).toMatchObject(Object.fromEntries(Object.keys(limits).map((name) => [name, 0])));
  });

  test.each(['NUBAN_INSTITUTION_CODE', 'BVN_PROVIDER', 'BANK_PROVIDER', 'MESSAGING_PROVIDER', 'EMAIL_PROVIDER'])(
    '%s has no default',
    (name) => {
      expect(refused({ ...live, [name]: '' })).toMatch(new RegExp(`^${name} is missing: `));
    },
  );

  test.each(['staging', 'live'])('%s does not run on the embedded database', (environment) => {
    expect(refused({ ENVIRONMENT: environment }, generated)).toMatch(/^DATABASE_URL is missing: .*sandbox/m);
  });
});

describe('NAME_FILE', () => {
  test.each(Object.keys(variables.shape))('%s_FILE gives what %s would', async (name) => {
    const value = validValues[name];
    if (value === undefined) throw new Error(`say here what a valid ${name} is`);
    const file = join(folder, name);
    await writeFile(file, `${value}\n`);
    const { [name]: _, ...rest } = staging as Record<string, string>;
    const direct: Variables = readVariables({}, { ...rest, [name]: value });
    expect(readVariables({}, { ...rest, [`${name}_FILE`]: file })).toEqual(direct);
    expect(refused({ ...rest, [name]: value, [`${name}_FILE`]: file })).toBe(
      `${name} and ${name}_FILE are both set: give one of them`,
    );
  });

  test('a file that cannot be read, or is empty, is refused by its name', async () => {
    const { MASTER_KEY: _, ...rest } = staging;
    const missing = join(folder, 'nowhere');
    expect(refused({ ...rest, MASTER_KEY_FILE: missing })).toBe(
      `MASTER_KEY_FILE is not valid: ${missing} cannot be read`,
    );
    const empty = join(folder, 'empty');
    await writeFile(empty, '\n');
    expect(refused({ ...rest, MASTER_KEY_FILE: empty })).toBe(`MASTER_KEY_FILE is not valid: ${empty} is empty`);
  });
});

describe('a variable that is none of ours', () => {
  test.each(['WEBHOOK_TIMEOUT', 'REDIS_URI', 'DATABASE_HOST', 'OPERATOR_TOKEN_FILES', 'FEE_PERCENT', 'RATE_LIMIT_OPT'])(
    '%s starts like ours and is refused by name',
    (name) => {
      expect(refused({ ...staging, [name]: '1' })).toBe(
        `${name} is not a variable of this server: correct its name or remove it`,
      );
    },
  );

  test.each(Object.keys(variables.shape).filter((one) => /^(?!OTEL).*_/.test(one)))('%s, misspelt, is told', (name) => {
    expect(refused({ ...staging, [`${name}X`]: '1' })).toContain(`${name}X is not a variable of this server`);
  });

  test.each(listed`
    PATH | HOSTNAME | NODE_OPTIONS | REQUESTS_CA_BUNDLE | REDIS_PORT | REDIS_SERVICE_HOST
    REDIS_PORT_6379_TCP_ADDR
  `)('%s is somebody else’s and left alone', (name) => {
    expect(readVariables({}, { ...staging, [name]: 'tcp://10.0.0.9:6379' }).ENVIRONMENT).toBe('staging');
  });
});

describe('values', () => {
  /** Of a range its ends are tried each time: of what is between and beyond, a few are enough. */
  const FEW = { numRuns: 20 };

  test.each(Object.entries(RANGES))('%s takes every whole number in its range and none outside', (name, [min, max]) => {
    const read = (value: string) => Reflect.get(readVariables({}, { ...staging, [name]: value }), name);
    fc.assert(
      fc.property(fc.integer({ min, max }), (value) => read(String(value)) === value),
      FEW,
    );
    for (const edge of [min, max]) expect(read(String(edge))).toBe(edge);
    const refuses = (value: number) =>
      refused({ ...staging, [name]: String(value) }).startsWith(`${name} is not valid: `);
    for (const beyond of [min - 1, max + 1]) expect([beyond, refuses(beyond)]).toEqual([beyond, true]);
    const outside = fc.oneof(
      fc.integer({ max: min - 1 }),
      fc.integer({ min: max + 1 }),
      fc.double({ noInteger: true }),
    );
    fc.assert(fc.property(outside, refuses), FEW);
  });

  test.each([
    ['ENVIRONMENT', 'production'],
    ['ROLE', 'web'],
    ['LOG_LEVEL', 'verbose'],
    ['PUBLIC_URL', 'pay.internal'],
    ['PUBLIC_URL', 'https://pay.example.com/v2'],
    ['PUBLIC_URL', 'https://user:word@pay.example.com'],
    ['PUBLIC_URL', 'ftp://pay.example.com'],
    ['DATABASE_URL', 'mysql://db/app'],
    ['REDIS_URL', 'localhost:6379'],
    ['OPERATOR_TOKEN', 'short'],
    ['MASTER_KEY', `${KEY}00`],
    ['MASTER_KEY', 'zz'.repeat(32)],
    ['WEBHOOK_BACKOFF_JITTER', '1.1'],
    ['WEBHOOK_BACKOFF_JITTER', '-0.1'],
    ['WEBHOOK_ALLOWED_CIDRS', '10.0.0.1'],
    ['WEBHOOK_ALLOWED_CIDRS', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['WEBHOOK_SOURCE_ADDRESSES', '203.0.113.7;203.0.113.8'],
    ['NUBAN_INSTITUTION_CODE', '58'],
    ['APPLICATION_REGISTRATION', 'closed'],
    ['BVN_DOJAH_URL', 'api.dojah.io'],
    ['BANK_PAYSTACK_SECRET_KEY', 'sk live'],
    ['MESSAGING_TERMII_SENDER_ID', 'PayTag of Lagos'],
    ['EMAIL_SMTP_URL', 'https://mail.example'],
    ['EMAIL_SMTP_TLS', 'maybe'],
    ['EMAIL_SMTP_CA', '/etc/ssl/ca.pem'],
    ['EMAIL_FROM', 'Acme'],
    ['EMAIL_FROM', 'PayTag <no-reply@paytag.example>, <x@y.example>'],
  ])('%s=%s is refused in one line that names it and does not repeat it', (name, value) => {
    const line = refused({ ...staging, [name]: value });
    expect(line).toMatch(new RegExp(`^${name} is not valid: must `));
    expect(line).not.toContain('\n');
    expect(line).not.toContain(value);
  });

  test('PUBLIC_URL ends without a slash', () => {
    expect(readVariables({}, { ...staging, PUBLIC_URL: 'https://pay.example.com/' }).PUBLIC_URL).toBe(
      'https://pay.example.com',
    );
  });

  test.each(Object.entries(variables.shape))('%s says what it is for', (_name, shape) => {
    expect(shape.description).toMatch(/\w/);
  });
});

describe('in live', () => {
  const live = { DATABASE_URL: `${staging.DATABASE_URL}?sslmode=verify-full`, ...liveEnv };

  test.each(['BVN_PROVIDER', 'BANK_PROVIDER', 'MESSAGING_PROVIDER', 'EMAIL_PROVIDER'])(
    '%s is never a simulator',
    (name) => {
      expect(refused({ ...live, [name]: 'simulator' })).toMatch(
        new RegExp(`^${name} is not valid: a simulator never runs in live \\([^\n]+\\)$`),
      );
    },
  );

  test.each([
    ['BVN_DOJAH_URL', 'http://dojah.example', 'in live it must be https'],
    ['BANK_PAYSTACK_URL', 'http://paystack.example', 'in live it must be https'],
    ['MESSAGING_TERMII_URL', 'http://termii.example', 'in live it must be https'],
    ['EMAIL_SMTP_TLS', 'none', 'in live no mail is sent in the clear'],
  ])('%s=%s is refused: no key and no code goes out in the clear', (name, value, why) => {
    expect(refused({ ...live, [name]: value })).toMatch(new RegExp(`^${name} is not valid: ${why} \\([^\n]+\\)$`));
  });
});

describe('a real provider', () => {
  const kinds = { BVN: 'dojah', BANK: 'paystack', MESSAGING: 'termii', EMAIL: 'smtp' };
  const needed = Object.keys(realProviders).filter((name) => !name.endsWith('_PROVIDER'));

  test.each(needed)('is refused without %s, in one line that says who needs it', (name) => {
    const [kind = ''] = name.split('_');
    const line = refused({ ...staging, ...realProviders, [name]: '' });
    expect(line).toMatch(
      new RegExp(`^${name} is missing: ${kind}_PROVIDER=${Reflect.get(kinds, kind)} needs it \\([^\n]+\\)$`),
    );
  });

  test('of one kind asks for no variable of another', () => {
    for (const [kind, provider] of Object.entries(kinds)) {
      const own = Object.entries(realProviders).filter(([name]) => name.startsWith(`${kind}_`));
      const read = readVariables({}, { ...staging, ...Object.fromEntries(own) });
      expect(Reflect.get(read, `${kind}_PROVIDER`)).toBe(provider);
    }
  });
});

test('live does not start with a BVN provider that cannot compare phones', () => {
  const blind = { comparesPhones: false };
  expect(() => refuseUnfit(blind, { environment: 'live' })).toThrow(/^BVN_PROVIDER is not valid: .*compare phones/);
  expect(() => refuseUnfit(blind, { environment: 'staging' })).not.toThrow();
  expect(() => refuseUnfit({ comparesPhones: true }, { environment: 'live' })).not.toThrow();
});

test('no payout counts as never sent while it may be on its way', () => {
  const waits = (seconds: string) =>
    refused({ ...staging, PAYOUT_TIMEOUT_MS: '10000', PAYOUT_NOT_FOUND_AFTER_S: seconds });
  expect(waits('41')).toMatch(/^PAYOUT_NOT_FOUND_AFTER_S is not valid: must be longer than a payout can be on its way/);
  expect(() => waits('42')).toThrow('it was accepted');
});

test('a variable of OpenTelemetry that does nothing here is told, and refuses no start', () => {
  const unheard = { OTEL_EXPORTER_OTLP_ENDPONIT: 'http://x', OTEL_SDK_DISABLED: 'true', otel_service_name: 'x' };
  expect(ignoredTracing({ ...unheard, PATH: '/bin' })).toEqual(Object.keys(unheard));
  expect(readVariables(generated, unheard).embedded).toBe(true);
});

test('one that is honoured is not', () => {
  const honoured = [
    'OTEL_SERVICE_NAME',
    'OTEL_EXPORTER_OTLP_HEADERS_FILE',
    'OTEL_BSP_MAX_QUEUE_SIZE',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
  ];
  expect(ignoredTracing(Object.fromEntries(honoured.map((name) => [name, '1'])))).toEqual([]);
});
