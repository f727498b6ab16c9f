import { describe, expect, it } from 'vitest';
import { findFloat, systemAccount } from '#modules/ledger';
import { addUpDays } from '../../../src/modules/books/index.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { usePast } from '../../support/past-postings.ts';
import { newWallet, paymentsOf } from '../../support/payments.ts';
import { postingBetween } from '../../support/posting-between.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_GATEWAY: '1%' });
const { gateway, inbound } = paymentsOf(server);
const postAt = usePast(server);
const DAY_MS = 24 * 60 * 60 * 1000;

interface Sums {
  currency: string;
  opening: number;
  debits: number;
  credits: number;
  closing: number;
}
interface Balance {
  date: string;
  closed: boolean;
  items: (Sums & { account: string })[];
  totals: Sums[];
}
const dayOf = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
const daysAgo = (days: number) => dayOf(new Date(Date.now() - days * DAY_MS));
const of = async (day: string): Promise<Balance> =>
  (await server.operate('GET', `/ledger/trial-balance/${day}`)).json<Balance>();
const line = ({ items }: Balance, account: string) =>
  items.find((one) => one.account === account && one.currency === 'NGN');
const addUp = () => addUpDays(server.resources, { graceS: 0, everyS: 0 });

const zeroSum = ({ totals, items }: Balance) => {
  expect(totals.map(({ currency }) => currency)).toEqual(['NGN', 'FP']);
  for (const { opening, debits, credits, closing } of totals) {
    expect([opening, closing, Number((debits - credits).toFixed(2))]).toEqual([0, 0, 0]);
  }
  for (const { opening, debits, credits, closing } of items) {
    expect(closing).toBeCloseTo(opening + credits - debits, 2);
  }
};

describe('200', () => {
  it('a day that is over is closed, and opens with what the one before left, to the kobo', async () => {
    const partner = await server.newPartner();
    const float = await findFloat(server.resources.db, partner.id, 'NGN');
    const move = (amount: bigint, days: number, time: string) =>
      postAt(
        postingBetween(systemAccount('CLEARING', 'NGN'), float?.id ?? 0, amount, {
          owner: partner.id,
          reference: `past-${days}-${time}`,
        }),
        new Date(`${daysAgo(days)}T${time}+01:00`),
      );
    await move(10_001n, 3, '00:00:00.000');
    await move(2_000n, 3, '23:59:59.999');
    await move(-501n, 2, '00:00:00.000');
    const expected = async () => {
      expect(line(await of(daysAgo(4)), 'FLOAT')).toMatchObject({ opening: 0, debits: 0, credits: 0, closing: 0 });
      const [third, second] = [await of(daysAgo(3)), await of(daysAgo(2))];
      expect([third.closed, third.date]).toEqual([true, daysAgo(3)]);
      expect(line(third, 'FLOAT')).toMatchObject({ opening: 0, debits: 0, credits: 120.01, closing: 120.01 });
      expect(line(third, 'CLEARING')).toMatchObject({ opening: 0, debits: 120.01, credits: 0, closing: -120.01 });
      expect(line(second, 'FLOAT')).toMatchObject({ opening: 120.01, debits: 5.01, credits: 0, closing: 115 });
      for (const balance of [third, second]) zeroSum(balance);
    };
    await expected();
    await addUp();
    await expected();
  });

  it('today is not closed, and is what our accounts say, whatever of it is added up', async () => {
    const partner = await server.newPartner({ float: 500 });
    const wallet = await kycWallet(server, partner);
    const spend = async () => {
      await gateway(partner, { amount: 100 });
      await inbound((await newWallet(server, partner)).nuban, { amount: 3.5 });
      await moveMoney(server, partner, wallet, 'credit', { amount: 7.25, reference: crypto.randomUUID() });
    };
    await spend();
    await addUp();
    await spend();
    const balance = await of(daysAgo(0));
    expect(balance.closed).toBe(false);
    zeroSum(balance);
    const { items } = (await server.operate('GET', '/accounts')).json<{
      items: { account: string; balance: number }[];
    }>();
    for (const { account, currency, balance: stands } of items as ((typeof items)[number] & { currency: string })[]) {
      const shown = balance.items.find((one) => one.account === account && one.currency === currency);
      expect([account, currency, shown?.closing]).toEqual([account, currency, stands]);
    }
    expect(line(balance, 'FEE')?.credits).toBe(2);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is zero-sum at every moment, while money moves and is added up', async () => {
    const partner = await server.newPartner({ float: 500 });
    const wallet = await kycWallet(server, partner);
    const state = { isMoving: true };
    const moving = (async () => {
      for (let n = 0; n < 40; n++) {
        await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: crypto.randomUUID() });
        if (n % 5 === 0) await Promise.all([addUp(), addUp()]);
      }
      state.isMoving = false;
    })();
    const seen: number[] = [];
    while (state.isMoving) {
      const balance = await of(daysAgo(0));
      zeroSum(balance);
      seen.push(line(balance, 'WALLET')?.closing ?? 0);
    }
    await moving;
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(1);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is a file of a line for each account', async () => {
    const answer = await server.operate('GET', `/ledger/trial-balance/${daysAgo(3)}?format=csv`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = answer.body.trimEnd().split('\r\n');
    expect(head).toBe('\ufeffaccount,currency,opening,debits,credits,closing');
    expect(lines).toContain('FLOAT,NGN,0,0,120.01,120.01');
  });
});
