import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { businessDay } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { type FileLine, type Format, fileOf, importOf } from '../../support/bank-files.ts';
import { brokenInvariants } from '../../support/books.ts';
import { newReference, newWallet, paymentsOf } from '../../support/wallets.ts';

const server = useApp();
const formats = Object.keys(fileOf) as Format[];
const DAY_MS = 86_400_000;
const today = businessDay(new Date());
const later = (days: number): string => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);

let nuban: string;
beforeAll(async () => {
  ({ nuban } = await newWallet(server, await server.newPartner()));
});

/** What a bank may do to one payment of ours, and what is found then. */
const plans = {
  kept: ['MATCHED'],
  'a day later': ['MATCHED'],
  'in small letters': ['MATCHED'],
  'named in the narration': ['MATCHED'],
  missing: ['OURS_ALONE'],
  'of another amount': ['AMOUNT_DIFFERS'],
  'a week later': ['DAY_DIFFERS'],
  twice: ['DUPLICATE', 'MATCHED'],
  'under another name': ['OURS_ALONE', 'THEIRS_ALONE'],
  extra: ['MATCHED', 'THEIRS_ALONE'],
} as const;
type Plan = keyof typeof plans;

interface Payment {
  plan: Plan;
  amount: number;
  reference: string;
}

function linesOf({ plan, amount, reference }: Payment): FileLine[] {
  const line = { day: today, amount: BigInt(amount), reference };
  switch (plan) {
    case 'a day later':
      return [{ ...line, day: later(1) }];
    case 'in small letters':
      return [{ ...line, reference: reference.toLowerCase() }];
    case 'named in the narration':
      return [{ ...line, reference: '', narration: `NIP FROM BOLA ADE ${reference} LAGOS` }];
    case 'missing':
      return [];
    case 'of another amount':
      return [{ ...line, amount: line.amount + 1n }];
    case 'a week later':
      return [{ ...line, day: later(7) }];
    case 'twice':
      return [line, line];
    case 'under another name':
      return [{ ...line, reference: `Q${reference.slice(3)}` }];
    case 'extra':
      return [line, { ...line, reference: `X${reference.slice(3)}` }];
    default:
      return [line];
  }
}

const posted = async (payments: readonly Payment[]): Promise<void> => {
  const report = ({ amount, reference }: Payment) =>
    paymentsOf(server).inbound(nuban, { amount: amount / 100, reference });
  expect((await Promise.all(payments.map(report))).map(({ statusCode }) => statusCode)).toEqual(
    payments.map(() => 200),
  );
};

async function found(importId: string): Promise<string[]> {
  const list = await server.operate('GET', `/reconciliation/items?importId=${importId}&limit=100`);
  const { items } = list.json<{ items: { status: string }[] }>();
  return items.map(({ status }) => status).toSorted();
}

const reference = (): string => `NIP0${newReference().slice(4).padStart(6, '0')}`;

describe.each(formats)('%s', (format) => {
  it('every kind of difference is found, and none is invented', async () => {
    const payments = (Object.keys(plans) as Plan[]).map((plan, at) => ({
      plan,
      amount: 100_00 + at,
      reference: reference(),
    }));
    await posted(payments);
    const answer = await server.operate(
      'POST',
      '/reconciliation/imports',
      importOf('INBOUND', format, payments.flatMap(linesOf)),
    );
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { summary: { ties: true } }]);
    expect(await found(answer.json().id)).toEqual(Object.values(plans).flat().toSorted());
  });
});

it('of random books and a random file exactly what was planted is found, and the differences come to the difference', async () => {
  const payment = fc.record({
    plan: fc.constantFrom(...(Object.keys(plans) as Plan[])),
    amount: fc.integer({ min: 1, max: 99_999 }),
  });
  const cases = fc.tuple(fc.constantFrom(...formats), fc.array(payment, { minLength: 1, maxLength: 8 }));
  await fc.assert(
    fc.asyncProperty(cases, async ([format, drawn]) => {
      const payments = [{ plan: 'kept', amount: 5 } as const, ...drawn].map((one) => ({
        ...one,
        reference: reference(),
      }));
      await posted(payments);
      const lines = payments.flatMap(linesOf).toSorted((a, b) => (a.reference < b.reference ? -1 : 1));
      const answer = await server.operate('POST', '/reconciliation/imports', importOf('INBOUND', format, lines));
      const { id, summary } = answer.json();
      expect(await found(id)).toEqual(payments.flatMap(({ plan }) => plans[plan]).toSorted());
      expect(summary.ties).toBe(true);
      const amounts: { amount: number }[] = summary.differences;
      const kobo = amounts.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
      expect(kobo).toBe(Math.round(summary.difference * 100));
    }),
    { numRuns: 25 },
  );
  expect(await brokenInvariants(server)).toEqual([]);
});
