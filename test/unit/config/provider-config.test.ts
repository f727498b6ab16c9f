import { describe, expect, test } from 'vitest';
import { readVariables } from '../../../src/config/environment.ts';
import { refuseUnfit } from '../../../src/providers/open-providers.ts';
import { liveEnv, realProviders, validValues } from '../../support/variables.ts';
import { refused } from './refused.ts';

const staging = {
  ENVIRONMENT: 'staging',
  DATABASE_URL: validValues['DATABASE_URL'] ?? '',
  OPERATOR_TOKEN: validValues['OPERATOR_TOKEN'] ?? '',
  MASTER_KEY: validValues['MASTER_KEY'] ?? '',
};

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
