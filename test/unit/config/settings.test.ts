import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { readVariables } from '../../../src/config/environment.ts';
import { exampleOf } from '../../../src/config/example.ts';
import { generatedSecrets, newSecrets } from '../../../src/config/load-config.ts';
import { isSecretName, settingsOf, validOf, variableNames } from '../../../src/config/settings.ts';
import { variables } from '../../../src/config/variables.ts';
import { liveEnv, refused, validValues } from '../../support/variables.ts';

const SECRET = 'planted-secret-of-ours';
const OF_A_PROVIDER = 'printable, without spaces';
const variables_ = { ENVIRONMENT: 'sandbox', PORT: 3000, embedded: true } as const;

it('whatever is a key, a token or a password is secret, and whatever another company gave us', () => {
  const given = variableNames.filter((name) => validOf(name) === OF_A_PROVIDER);
  expect(given.length).toBeGreaterThan(5);
  expect(given.filter((name) => !isSecretName(name))).toEqual([]);
  const named = variableNames.filter((name) => /(SECRET|PASSWORD|TOKEN|KEY|HEADERS)/.test(name) && !isSecretName(name));
  // A length of time, a number, and the name of a key.
  expect(named.filter((name) => !/(_TTL_[SD]|_OVERLAP_H|_PER_M|^KMS_VAULT_KEY)$/.test(name))).toEqual([]);
});

it('of a secret nothing is shown, and of a URL neither who logs in nor its parameters', () => {
  const isUrl = (name: string) => name.endsWith('_URL') || name.endsWith('_ENDPOINT');
  const env = Object.fromEntries(
    variableNames
      .filter((name) => isSecretName(name) || isUrl(name))
      .map((name) => [
        name,
        isUrl(name) ? `https://${SECRET}:p@ss${SECRET}@host.example:1/path?key=${SECRET}#${SECRET}` : SECRET,
      ]),
  );
  const shown = settingsOf(variables_, {}, env);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(shown.find(({ name }) => name === 'DATABASE_URL')?.value).toBe('https://host.example:1/path');
  expect(shown.map(({ name }) => name)).toEqual(variableNames);
});

it.each([' ', '\t', '\n'])('nor does a URL behind %j show who logs in', (blank) => {
  const env = { REDIS_URL: `${blank}redis://:${SECRET}@host.example:6379` };
  expect(settingsOf(variables_, {}, env).find(({ name }) => name === 'REDIS_URL')?.value).toBe(
    'redis://host.example:6379',
  );
});

it.each(['postgres:/u:PW@h/x', 'postgres:u:PW@h/x', 'smtp:user:PW@host', 'u:PW@host/x', 'postgres://u:PW@/x'])(
  'nothing of %s is shown, which names no host',
  (spelling) => {
    const env = { DATABASE_URL: spelling.replace('PW', SECRET), EMAIL_SMTP_URL: spelling.replace('PW', SECRET) };
    expect(JSON.stringify(settingsOf(variables_, {}, env))).not.toContain(SECRET);
  },
);

it('no other variable is a URL', () => {
  const urls = variableNames.filter((name) => /URL|https?/i.test(validOf(name)));
  expect(urls.length).toBeGreaterThan(5);
  expect(urls.filter((name) => !/_(URL|ENDPOINT)$/.test(name))).toEqual([]);
});

it('what the embedded sandbox made for itself says so', () => {
  const made = { OPERATOR_TOKEN: SECRET, MASTER_KEY: SECRET };
  const sourceOf = (name: string, embedded: boolean) =>
    settingsOf({ ...variables_, embedded }, made, {}).find((one) => one.name === name)?.source;
  expect([sourceOf('MASTER_KEY', true), sourceOf('MASTER_KEY', false)]).toEqual(['GENERATED', 'UNSET']);
  expect([sourceOf('PUBLIC_URL', true), sourceOf('PORT', true), sourceOf('REDIS_URL', true)]).toEqual([
    'DEFAULT',
    'DEFAULT',
    'UNSET',
  ]);
});

/** An example as its reader fills it in: what is given stays, what is empty gets a value. */
function filledIn(text: string): Record<string, string> {
  const values: Record<string, string> = { ...validValues, ...liveEnv };
  values['DATABASE_URL'] = 'postgresql://server:word@db.example.com/paytag?sslmode=verify-full';
  const given = Object.entries(parseEnv(text)).map(([name, value = '']) => [name, value || (values[name] ?? '')]);
  return Object.fromEntries(given);
}

const embedded = newSecrets();
const read = (text: string) => readVariables(embedded, filledIn(text));

describe.each(['live', 'staging', 'sandbox'] as const)('the example for %s', (environment) => {
  const example = exampleOf(environment);

  it('is valid once it is filled in', () => {
    expect(read(example)).toMatchObject({ ENVIRONMENT: environment, embedded: environment === 'sandbox' });
  });

  it('asks for nothing that need not be set: each variable it leaves empty is missing without a value', () => {
    const { ENVIRONMENT: _, ...given } = filledIn(example);
    const empty = Object.keys(given).filter((name) => parseEnv(example)[name] === '');
    expect(empty.length > 0).toBe(environment !== 'sandbox');
    for (const name of empty) {
      expect(refused({ ...filledIn(example), [name]: '' }, embedded)).toMatch(new RegExp(`^${name} is missing: `));
    }
  });

  it('says of each variable what it is for and what it takes, and how one that is left empty is made', () => {
    for (const [name, shape] of Object.entries(variables.shape)) {
      expect(example).toMatch(new RegExp(`^# ${RegExp.escape(shape.description ?? '')}\n# .+\n(# )?${name}=`, 'm'));
    }
    for (const [, hint] of example.matchAll(/^# (.+)\n[A-Z_]+=$/gm))
      expect(hint).toMatch(/openssl|e\.g\.|shows it|gave it/);
  });

  it('has the defaults in its comments: without their comment signs nothing changes', () => {
    const uncommented = example.replaceAll(/^# ([A-Z][A-Z0-9_]+=)/gm, '$1');
    expect(Object.keys(parseEnv(uncommented)).toSorted()).toEqual(Object.keys(variables.shape).toSorted());
    const optional = Object.entries(parseEnv(uncommented)).filter(([name]) => !(name in parseEnv(example)));
    expect(readVariables(embedded, { ...Object.fromEntries(optional), ...filledIn(example) })).toEqual(read(example));
  });
});

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'paytag-test-secrets-'));
});

afterEach(() => rm(root, { recursive: true }));

describe('the secrets of an embedded sandbox', () => {
  test('are made once, are the server’s to use, and differ from one sandbox to the next', async () => {
    const secrets = await generatedSecrets(join(root, 'one/.data'));
    expect(secrets['OPERATOR_TOKEN']).toMatch(/^op_sandbox_[\w-]{43}$/);
    expect(secrets['MASTER_KEY']).toMatch(/^[0-9a-f]{64}$/);
    expect(readConfig(secrets, {}).operatorToken).toBe(secrets['OPERATOR_TOKEN']);
    expect(await generatedSecrets(join(root, 'one/.data'))).toEqual(secrets);
    expect(await generatedSecrets(join(root, 'two/.data'))).not.toEqual(secrets);
  });

  test('are readable by their owner alone, and nothing else is left beside them', async () => {
    await generatedSecrets(root);
    expect(await readdir(root)).toEqual(['secrets.json']);
    expect((await stat(join(root, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  test('are the same for all concurrent readers', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => generatedSecrets(root)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('never replace a damaged file', async () => {
    const file = join(root, 'secrets.json');
    await writeFile(file, '{"OPERATOR_TOKEN":');
    await expect(generatedSecrets(root)).rejects.toThrow(/is damaged: restore it/);
    expect(await readFile(file, 'utf8')).toBe('{"OPERATOR_TOKEN":');
  });
});
