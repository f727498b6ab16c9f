import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { changeWallet, type LoggedIn, loggedIn, logInAt, moveMoney, pay, refund } from '../../support/wallets.ts';
import { withinOneDay } from './one-day.ts';

const server = useApp({ FEE_TRANSFER: '50' });
const limit = async ({ headers }: Pick<LoggedIn, 'headers'>) => server.call('GET', '/v2/sso/wallet/limit', { headers });

describe('200', () => {
  it(
    'of a customer with a verified BVN 200,000, of which transfers with their fees are spent',
    withinOneDay(async () => {
      const partner = await server.newPartner({ float: 50_000 });
      const [ada, bola] = [await loggedIn(server, partner, 10_000), await loggedIn(server, partner)];
      const fresh = await limit(ada);
      expect(fresh.statusCode).toBe(200);
      expect(fresh.headers['cache-control']).toBe('no-store');
      expect(fresh.json()).toEqual({ Limit: 200_000, Spent: 0, Remaining: 200_000 });
      await pay(server, ada, { paytag: bola.paytag, amount: 1_000.25, reference: 't1' });
      expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 1_050.25, Remaining: 198_949.75 });
    }),
  );

  it(
    'is one for all wallets of a customer: what is spent at one partner is spent at every other',
    withinOneDay(async () => {
      const [here, there] = [await server.newPartner({ float: 300_000 }), await server.newPartner({ float: 300_000 })];
      const [ada, bola] = [await loggedIn(server, here, 200_000), await loggedIn(server, here)];
      const elsewhere = await logInAt(server, there, ada, 200_000);
      await pay(server, ada, { paytag: bola.paytag, amount: 150_000, reference: 't1' });
      expect((await limit(elsewhere)).json()).toEqual({ Limit: 200_000, Spent: 150_050, Remaining: 49_950 });
      const over = await pay(server, elsewhere, { paytag: bola.paytag, amount: 49_901, reference: 't2' });
      expect([over.statusCode, over.json().errorCode]).toEqual([422, 'LIMIT_EXCEEDED']);
      const answer = await pay(server, elsewhere, { paytag: bola.paytag, amount: 49_900, reference: 't3' });
      expect(answer.statusCode).toBe(200);
      expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 200_000, Remaining: 0 });
    }),
  );

  it('what came in, the partner’s own debits and their refunds, and what was declined do not count', async () => {
    const partner = await server.newPartner({ float: 50_000 });
    const [ada, bola] = [await loggedIn(server, partner, 1_000), await loggedIn(server, partner, 10)];
    await moveMoney(server, partner, ada.wallet, 'debit', { amount: 100, reference: 'debit' });
    await refund(server, partner, 'debit', { reference: 'refund' });
    await pay(server, ada, { paytag: bola.paytag, amount: 5_000, reference: 'over' });
    expect((await limit(ada)).json()).toMatchObject({ Spent: 0 });
    await pay(server, ada, { paytag: bola.paytag, amount: 10, reference: 't' });
    expect((await limit(bola)).json()).toMatchObject({ Spent: 0 });
  });

  it(
    'begins anew with the next day',
    withinOneDay(async () => {
      const partner = await server.newPartner({ float: 1_000 });
      const [ada, bola] = [await loggedIn(server, partner, 500), await loggedIn(server, partner)];
      await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 't' });
      // Her token would not live until tomorrow, so today's spending becomes yesterday's.
      await server.owner.query(
        `update ledger.spending s set day = s.day - 1 from ledger.account a
          where a.holder_id = s.holder_id and a.reference = $1`,
        [ada.wallet],
      );
      expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 0, Remaining: 200_000 });
    }),
  );

  it(
    'follows the tier and the limit that the operator sets; below what is spent, nothing remains',
    withinOneDay(async () => {
      const partner = await server.newPartner({ float: 1_000 });
      const [ada, bola] = [await loggedIn(server, partner, 500), await loggedIn(server, partner)];
      await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 't' });
      await changeWallet(server, ada.wallet, { tier: 3 });
      expect((await limit(ada)).json()).toEqual({ Limit: 5_000_000, Spent: 150, Remaining: 4_999_850 });
      await changeWallet(server, ada.wallet, { dailyLimit: 120 });
      expect((await limit(ada)).json()).toEqual({ Limit: 120, Spent: 150, Remaining: 0 });
      await changeWallet(server, ada.wallet, { dailyLimit: null });
      expect((await limit(ada)).json()).toMatchObject({ Limit: 5_000_000 });
    }),
  );
});
