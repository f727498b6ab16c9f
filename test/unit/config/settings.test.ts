import { expect, it } from 'vitest';
import { validOf, variableNames } from '../../../src/config/described.ts';
import { isSecretName, settingsOf } from '../../../src/config/settings.ts';

const SECRET = 'planted-secret-of-ours';
const OF_A_PROVIDER = 'printable, without spaces';
const read = { ENVIRONMENT: 'sandbox', PORT: 3000, embedded: true } as const;

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
  const shown = settingsOf(read, {}, env);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(shown.find(({ name }) => name === 'DATABASE_URL')?.value).toBe('https://host.example:1/path');
  expect(shown.map(({ name }) => name)).toEqual(variableNames);
});

it.each([' ', '\t', '\n'])('nor does a URL behind %j show who logs in', (blank) => {
  const env = { REDIS_URL: `${blank}redis://:${SECRET}@host.example:6379` };
  expect(settingsOf(read, {}, env).find(({ name }) => name === 'REDIS_URL')?.value).toBe('redis://host.example:6379');
});

it.each(['postgres:/u:PW@h/x', 'postgres:u:PW@h/x', 'smtp:user:PW@host', 'u:PW@host/x', 'postgres://u:PW@/x'])(
  'nothing of %s is shown, which names no host',
  (spelling) => {
    const env = { DATABASE_URL: spelling.replace('PW', SECRET), EMAIL_SMTP_URL: spelling.replace('PW', SECRET) };
    expect(JSON.stringify(settingsOf(read, {}, env))).not.toContain(SECRET);
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
    settingsOf({ ...read, embedded }, made, {}).find((one) => one.name === name)?.source;
  expect([sourceOf('MASTER_KEY', true), sourceOf('MASTER_KEY', false)]).toEqual(['GENERATED', 'UNSET']);
  expect([sourceOf('PUBLIC_URL', true), sourceOf('PORT', true), sourceOf('REDIS_URL', true)]).toEqual([
    'DEFAULT',
    'DEFAULT',
    'UNSET',
  ]);
});
