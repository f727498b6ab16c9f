import { expect, test } from 'vitest';
import { bankSimulator } from '../../src/providers/bank/simulator.ts';
import { bvnSimulator } from '../../src/providers/bvn/simulator.ts';
import { phoneSimulator } from '../../src/providers/messaging/simulator.ts';
import { documentAt } from '../support/documents.ts';

const { text } = documentAt('src/docs/sandbox.md');
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
  const verdict = await bvnSimulator.verify(person).catch(() => 'down' as const);
  expect(outcomeOf(new RegExp(bvn))).toMatch(said[verdict]);
});

test('no other BVN does anything but to be verified', async () => {
  expect(text.match(/2222222220\d/g)).toEqual(bvns);
  expect(await bvnSimulator.verify({ bvn: '22212345678', firstName: 'Ada', lastName: 'Obi' })).toBe('verified');
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
