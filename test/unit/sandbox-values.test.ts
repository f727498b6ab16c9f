import { describe, expect, test } from 'vitest';
import { tagsOf } from '#http/openapi-about.ts';
import { bankSimulator } from '../../src/providers/bank/simulator.ts';
import { bvnSimulator } from '../../src/providers/bvn/simulator.ts';
import { phoneSimulator } from '../../src/providers/messaging/simulator.ts';
import { documentAt } from '../support/documents.ts';

const { text } = documentAt('src/docs/sandbox.md');
test('the OpenAPI document has the table of the guide, each row of it', () => {
  const [described] = tagsOf([{ tags: ['Sandbox'] }]);
  const [, table = ''] = text.split('<!-- values: begin -->');
  expect(described?.description).toContain(table.split('<!-- values: end -->')[0]?.trim());
});

/** The rows of the table of values: what is sent, and what happens then. */
const rows = [...text.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, value = '', outcome = '']) => ({ value, outcome }));
const outcomeOf = (value: RegExp): string => rows.find((row) => value.test(row.value))?.outcome ?? 'no such row';

const said = {
  verified: /is verified/,
  'not-found': /BVN_NOT_FOUND/,
  mismatch: /BVN_MISMATCH/,
  down: /BVN_PROVIDER_UNAVAILABLE/,
};
const bvns = ['22222222200', '22222222201', '22222222202', '22222222203'];

test.each(bvns)('BVN %s does what the sandbox guide says', async (bvn) => {
  const person = { bvn, firstName: 'Ada', lastName: 'Obi' };
  const verdict = await bvnSimulator.verify(person).catch(() => ({ outcome: 'down' as const }));
  expect(outcomeOf(new RegExp(`^BVN .${bvn}`))).toMatch(said[verdict.outcome]);
});

test('one BVN has its birth date compared, as the sandbox guide says', async () => {
  const outcome = outcomeOf(/^BVN .22222222204/);
  expect(outcome).toContain('`dateOfBirth` 1990-05-17');
  expect(outcome).toContain('BVN_MISMATCH');
  const person = { bvn: '22222222204', firstName: 'Ada', lastName: 'Obi' };
  expect(await bvnSimulator.verify(person)).toMatchObject({ outcome: 'verified' });
  expect(await bvnSimulator.verify({ ...person, dateOfBirth: '1990-05-17' })).toMatchObject({ outcome: 'verified' });
  expect(await bvnSimulator.verify({ ...person, dateOfBirth: '1990-05-18' })).toEqual({ outcome: 'mismatch' });
});

test('no other BVN does anything but to be verified', async () => {
  expect(text.match(/2222222220\d/g)).toEqual([...bvns, '22222222204']);
  const verdict = await bvnSimulator.verify({ bvn: '22212345678', firstName: 'Ada', lastName: 'Obi' });
  expect(verdict.outcome).toBe('verified');
});

describe('the contacts of the register', () => {
  const person = { bvn: '22212345678', firstName: 'Ada', lastName: 'Obi' };

  test('are every phone but those of the guide; without a phone it is the one of the guide', async () => {
    expect(outcomeOf(/phone ending in `0000`/)).toMatch(/BVN_MISMATCH/);
    expect(await bvnSimulator.verify({ ...person, phone: '+2348031230000' })).toEqual({ outcome: 'mismatch' });
    const verdict = await bvnSimulator.verify(person);
    expect(outcomeOf(/no phone/)).toContain(verdict.outcome === 'verified' ? verdict.phone : 'a phone');
    expect(await bvnSimulator.verify({ ...person, phone: '+2348031230001' })).toMatchObject({
      phone: '+2348031230001',
    });
  });

  test('are every e-mail address but those of the guide', async () => {
    expect(outcomeOf(/e-mail address at `unregistered.example`/)).toMatch(/OTP_CHANNEL_UNAVAILABLE/);
    const holds = async (email: string) => bvnSimulator.verify({ ...person, email });
    expect(await holds('ada@unregistered.example')).toMatchObject({ outcome: 'verified', holdsEmail: false });
    expect(await holds('ada@example.com')).toMatchObject({ outcome: 'verified', holdsEmail: true });
  });
});

test('the other names of the register are all but the one of the guide', async () => {
  expect(outcomeOf(/^.otherName. .Unregistered./)).toMatch(/no part of the name/);
  const holds = async (otherName?: string) =>
    bvnSimulator.verify({ bvn: '22212345678', firstName: 'Ada', lastName: 'Obi', otherName });
  expect(await holds('Unregistered')).toMatchObject({ outcome: 'verified', holdsOtherName: false });
  expect(await holds()).toMatchObject({ outcome: 'verified', holdsOtherName: false });
  expect(await holds('Ngozi')).toMatchObject({ outcome: 'verified', holdsOtherName: true });
});

test('the one-time password is the one of the guide', () => {
  expect(outcomeOf(new RegExp(`one-time password \`${phoneSimulator.newCode?.()}\``))).toMatch(/is the code/);
});

test('bank accounts exist as the guide says', async () => {
  const ask = (accountNumber: string) =>
    bankSimulator.enquire({
      accountNumber,
      bankCode: '058',
      claimant: { firstName: 'Ada', lastName: 'Obi', otherName: undefined },
    });
  expect(outcomeOf(/ending in `1`/)).toMatch(/BANK_ACCOUNT_NOT_FOUND/);
  expect(await ask('0123456781')).toBeUndefined();
  expect(outcomeOf(/any other account/)).toMatch(/own name/);
  expect(await ask('0123456789')).toMatchObject({ accountName: 'OBI ADA' });
});
