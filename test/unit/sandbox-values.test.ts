import { describe, expect, test } from 'vitest';
import { tagsOf } from '#http/openapi-about.ts';
import { bankSimulator, bvnSimulator, payoutSimulator, phoneSimulator } from '../../src/providers/simulators.ts';
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

describe('payouts of the kobo of the guides', () => {
  const HOUR_MS = 3_600_000;
  const sentAt = new Date('2026-01-31T08:00:00Z');
  const ended = { SUCCESSFUL: 'Successful', FAILED: 'Failed', REVERSED: 'Reversed' } as const;

  /** What the simulator says of such a payout as it is sent, as it is asked about, and an hour later. */
  async function answersTo(kobo: bigint): Promise<string[]> {
    const order = { amount: 15_000n + kobo, reference: 'p', accountNumber: '0123456789', bankCode: '058' };
    const whole = { ...order, accountName: 'Ada Obi', narration: 'PayTag payout' };
    const after = (ms: number) => payoutSimulator({ now: () => new Date(sentAt.getTime() + ms) });
    const asked = [
      after(0).send(whole, async () => true),
      after(5_000).verify(whole, sentAt),
      after(HOUR_MS).verify(whole, sentAt),
    ];
    const answers = await Promise.allSettled(asked);
    return answers.map((one) =>
      one.status === 'rejected' ? 'unknown' : (ended[one.value.state as keyof typeof ended] ?? one.value.state),
    );
  }

  test.each<[kobo: bigint, row: RegExp, guide: RegExp, says: string[], outcome: RegExp]>([
    [1n, /kobo `.01`/, /`.01` is refused/, ['Failed', 'Failed', 'Failed'], /is refused: `Failed`/],
    [
      2n,
      /kobo `.02`/,
      /`.02` is of unknown end and then successful/,
      ['unknown', 'Successful', 'Successful'],
      /unknown end when it is sent, and `Successful` once/,
    ],
    [
      3n,
      /kobo `.03`/,
      /`.03` is of unknown end for an hour/,
      ['unknown', 'unknown', 'Successful'],
      /unknown end for an hour.*then `Successful`/,
    ],
    [
      4n,
      /kobo `.04`/,
      /`.04` is successful and then reversed/,
      ['Successful', 'Reversed', 'Reversed'],
      /is `Successful`, and `Reversed`/,
    ],
    [
      0n,
      /any other payout/,
      /any other succeeds/,
      ['Successful', 'Successful', 'Successful'],
      /is `Successful` at once/,
    ],
    [
      99n,
      /any other payout/,
      /any other succeeds/,
      ['Successful', 'Successful', 'Successful'],
      /is `Successful` at once/,
    ],
  ])('%s end as they say', async (kobo, row, guide, says, outcome) => {
    expect(await answersTo(kobo)).toEqual(says);
    expect(outcomeOf(row)).toMatch(outcome);
    expect(documentAt('src/docs/partners.md').text).toMatch(guide);
  });

  test('are linked from the guide of customers, which names one', () => {
    expect(documentAt('src/docs/sso.md').text).toMatch(
      /sandbox\.md#values-that-make-something-happen\), e\.g\. `\.01` that it is refused/,
    );
  });
});
