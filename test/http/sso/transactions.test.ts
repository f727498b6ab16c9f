import { describe, expect, it } from 'vitest';
import { businessDay } from '#modules/ledger';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf, leavesNothingBut } from '../../support/books.ts';
import { A_DAY_AHEAD } from '../../support/other-times.ts';
import { refusalOf } from '../../support/refusals.ts';
import { changeWallet, type LoggedIn, loggedIn, logInAt, moveMoney, pay, refund } from '../../support/wallets.ts';
import { withinOneDay } from './one-day.ts';

const server = useApp({ FEE_TRANSFER: '1%<=25', FEE_STAMP_DUTY: '50>=10000' });

describe('POST /sso/transaction', () => {
  async function adaAndBola(naira: number): Promise<{ ada: LoggedIn; bola: LoggedIn; partner: TestPartner }> {
    const partner = await server.newPartner({ float: naira });
    return { partner, ada: await loggedIn(server, partner, naira), bola: await loggedIn(server, partner) };
  }
  const balance = async ({ headers }: LoggedIn): Promise<number> =>
    (await server.call('GET', '/v2/sso/wallet', { headers })).json().Balance;

  it('pays a PayTag: the fee on top, stamp duty off what arrives, our reference beside the customer’s own, which the receiver’s side is not told', async () => {
    const { ada, bola } = await adaAndBola(20_000);
    const payload = { paytag: `@${bola.paytag.toUpperCase()}`, amount: 10_000, reference: 'rent-5', comment: 'May' };
    const answer = await pay(server, ada, payload);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      Type: 'TRANSFER',
      Amount: 10_000,
      Fee: 25,
      Commission: 0,
      Net: 9_950,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: expect.stringMatching(/^TRF-[0-9a-f]{32}$/),
      ExternalReference: 'rent-5',
      Comment: 'May',
      OpeningBalance: 20_000,
      ClosingBalance: 9_975,
      CreatedAt: expect.any(String),
      CompletedAt: expect.any(String),
    });
    expect(await balance(bola)).toBe(9_950);

    const { Reference } = answer.json<{ Reference: string }>();
    const common = { Reference, Comment: 'May', Amount: 10_000 };
    expect((await eventsOf(server, ada.wallet)).at(-1)).toMatchObject({
      event: 'wallet.debited',
      data: {
        Amount: -10_025,
        Transaction: { ...common, ExternalReference: 'rent-5', Fee: 25 },
        OpeningBalance: 20_000,
        ClosingBalance: 9_975,
      },
    });
    expect(await eventsOf(server, bola.wallet)).toMatchObject([
      { event: 'wallet.credited', data: { Amount: 9_950, Transaction: { ...common, ExternalReference: '', Fee: 0 } } },
    ]);
  });

  it('reaches the primary wallet of the receiver, wherever it is', async () => {
    const { ada, bola } = await adaAndBola(100);
    const elsewhere = await logInAt(server, await server.newPartner(), bola);
    await pay(server, ada, { paytag: bola.paytag, amount: 40, reference: 't' });
    expect([await balance(bola), await balance(elsewhere)]).toEqual([40, 0]);
  });

  it('a repeated reference answers as it did and pays once, even when 20 come at once', async () => {
    const { ada, bola } = await adaAndBola(100);
    const payload = { paytag: bola.paytag, amount: 10, reference: 'twins' };
    const all = await Promise.all(Array.from({ length: 20 }, () => pay(server, ada, payload)));
    expect(new Set(all.map(({ body }) => body)).size).toBe(1);
    expect(await balance(bola)).toBe(10);
  });

  it('two customers may give the same reference', async () => {
    const [one, two] = [await adaAndBola(100), await adaAndBola(100)];
    for (const { ada, bola } of [one, two]) {
      const answer = await pay(server, ada, { paytag: bola.paytag, amount: 10, reference: 'same' });
      expect(answer.statusCode).toBe(200);
    }
  });

  it('409: REFERENCE_REUSED for another amount, another PayTag, and from another partner', async () => {
    const { ada, bola, partner } = await adaAndBola(100);
    const chidi = await loggedIn(server, partner);
    await pay(server, ada, { paytag: bola.paytag, amount: 10, reference: 'r' });
    const elsewhere = await logInAt(server, await server.newPartner({ float: 50 }), ada, 50);
    for (const [payer, change] of [
      [ada, { amount: 11 }],
      [ada, { paytag: chidi.paytag }],
      [elsewhere, {}],
    ] as const) {
      const payload = { paytag: bola.paytag, amount: 10, reference: 'r', ...change };
      expect(refusalOf(await leavesNothingBut(server, 0, () => pay(server, payer, payload)))).toEqual([
        409,
        'REFERENCE_REUSED',
      ]);
    }
  });

  /** The errorCode of a transfer that is refused for good and leaves nothing but its declined reference. */
  const declinedWith = async (payer: LoggedIn, payload: { paytag: string; amount: number }): Promise<string> => {
    const asked = { ...payload, reference: `r-${payload.amount}` };
    const answer = await leavesNothingBut(server, 1, () => pay(server, payer, asked));
    const again = await leavesNothingBut(server, 0, () => pay(server, payer, asked));
    expect([answer.statusCode, again.statusCode]).toEqual([422, 422]);
    const { errorCode } = answer.json<{ errorCode: string }>();
    expect(again.json().errorCode).toBe(errorCode);
    return errorCode;
  };

  it('422: INSUFFICIENT_FUNDS, the fee counted', async () => {
    const { ada, bola } = await adaAndBola(100);
    expect(await declinedWith(ada, { paytag: bola.paytag, amount: 100 })).toBe('INSUFFICIENT_FUNDS');
    expect((await pay(server, ada, { paytag: bola.paytag, amount: 99, reference: 'fits' })).statusCode).toBe(200);
  });

  it(
    '422: LIMIT_EXCEEDED by one kobo, the fee counted, and exactly the limit comes through',
    withinOneDay(async () => {
      const { ada, bola } = await adaAndBola(500);
      await changeWallet(server, ada.wallet, { dailyLimit: 303 });
      await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'first' });
      expect(await declinedWith(ada, { paytag: bola.paytag, amount: 200.01 })).toBe('LIMIT_EXCEEDED');
      expect((await pay(server, ada, { paytag: bola.paytag, amount: 200, reference: 'rest' })).statusCode).toBe(200);
      expect(await declinedWith(ada, { paytag: bola.paytag, amount: 0.01 })).toBe('LIMIT_EXCEEDED');
    }),
  );

  it('422: a wallet that pays out or takes in nothing: WALLET_PND, WALLET_PNC, WALLET_BLOCKED', async () => {
    const { ada, bola } = await adaAndBola(100);
    for (const [wallet, status, errorCode, amount] of [
      [ada.wallet, 'PND', 'WALLET_PND', 1],
      [ada.wallet, 'Blocked', 'WALLET_BLOCKED', 2],
      [bola.wallet, 'PNC', 'WALLET_PNC', 3],
      [bola.wallet, 'Blocked', 'WALLET_BLOCKED', 4],
    ] as const) {
      await changeWallet(server, wallet, { status });
      expect(await declinedWith(ada, { paytag: bola.paytag, amount })).toBe(errorCode);
      await changeWallet(server, wallet, { status: 'Enabled' });
    }
  });

  it('422: PAYTAG_SUSPENDED', async () => {
    const { ada, bola } = await adaAndBola(100);
    await server.operate('POST', `/tags/${bola.paytag}/suspend`, { reason: 'a test' });
    expect(await declinedWith(ada, { paytag: bola.paytag, amount: 1 })).toBe('PAYTAG_SUSPENDED');
  });

  it('the books are in order after all this', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('GET /sso/transaction', () => {
  const alone = useApp({ FEE_TRANSFER: '10', FEE_PARTNER_WALLET_CREDIT: '3' });
  const history = (headers: Record<string, string>, query = '') =>
    alone.call('GET', `/v2/sso/transaction${query}`, { headers });

  it('the movements of the wallet at this partner, newest first, with the customer’s own fees only', async () => {
    const partner = await alone.newPartner({ float: 1_000 });
    const [ada, bola] = [await loggedIn(alone, partner, 500), await loggedIn(alone, partner)];
    await pay(alone, ada, { paytag: bola.paytag, amount: 100, reference: 'rent' });
    await moveMoney(alone, partner, bola.wallet, 'debit', { amount: 30, reference: 'fare' });

    const hers = await history(ada.headers);
    expect(hers.statusCode).toBe(200);
    expect(hers.headers['cache-control']).toBe('no-store');
    expect(hers.json()).toMatchObject({
      items: [
        { Type: 'TRANSFER', Amount: 100, Fee: 10, ExternalReference: 'rent', OpeningBalance: 500, ClosingBalance: 390 },
        { Type: 'PARTNER_WALLET_CREDIT', Amount: 500, Fee: 0, OpeningBalance: 0, ClosingBalance: 500 },
      ],
      count: 2,
      limit: 20,
      offset: 0,
    });
    expect((await history(bola.headers)).json().items).toMatchObject([
      { Type: 'PARTNER_WALLET_DEBIT', OpeningBalance: 100, ClosingBalance: 70 },
      { Type: 'TRANSFER', Amount: 100, Fee: 0, OpeningBalance: 0, ClosingBalance: 100 },
    ]);
    expect((await history(ada.headers, '?limit=1&offset=1')).json()).toMatchObject({
      items: [{ Type: 'PARTNER_WALLET_CREDIT' }],
      count: 2,
    });
  });

  it('by the customer’s own reference: that transfer alone, as it was answered, or none', async () => {
    const [partner, elsewhere] = [await alone.newPartner({ float: 1_000 }), await alone.newPartner()];
    const [ada, bola] = [await loggedIn(alone, partner, 500), await loggedIn(alone, partner)];
    const sent = await pay(alone, ada, { paytag: bola.paytag, amount: 100, reference: 'rent' });
    await pay(alone, ada, { paytag: bola.paytag, amount: 1, reference: 'other' });
    const found = async (who: LoggedIn, query: string) => (await history(who.headers, query)).json();
    expect(await found(ada, '?reference=rent')).toEqual({ items: [sent.json()], count: 1, limit: 20, offset: 0 });
    expect(await found(ada, '?reference=rent&offset=1')).toMatchObject({ items: [], count: 1, offset: 1 });
    const none = { items: [], count: 0, limit: 20, offset: 0 };
    expect(await found(ada, '?reference=nothing')).toEqual(none);
    expect(await found(bola, '?reference=rent')).toEqual(none);
    expect(await found(await logInAt(alone, elsewhere, ada), '?reference=rent')).toEqual(none);
  });

  it('a declined one by its reference, with the reason; the history does not have it', async () => {
    const partner = await alone.newPartner();
    const [ada, bola] = [await loggedIn(alone, partner), await loggedIn(alone, partner)];
    await pay(alone, ada, { paytag: bola.paytag, amount: 100, reference: 'too-much' });
    const { items } = (await history(ada.headers, '?reference=too-much')).json<{ items: object[] }>();
    expect(items).toMatchObject([
      { Status: 'Failed', FailureReason: 'INSUFFICIENT_FUNDS', Amount: 100, Fee: 10, ExternalReference: 'too-much' },
    ]);
    expect(JSON.stringify(items)).not.toMatch(/Balance|CompletedAt/);
    expect((await history(ada.headers)).json()).toMatchObject({ items: [], count: 0 });
  });
});

describe('GET /sso/wallet/limit', () => {
  const alone = useApp({ FEE_TRANSFER: '50' });
  const limit = async ({ headers }: Pick<LoggedIn, 'headers'>) =>
    alone.call('GET', '/v2/sso/wallet/limit', { headers });

  it(
    'of a customer with a verified BVN 200,000, of which transfers with their fees are spent',
    withinOneDay(async () => {
      const partner = await alone.newPartner({ float: 50_000 });
      const [ada, bola] = [await loggedIn(alone, partner, 10_000), await loggedIn(alone, partner)];
      const fresh = await limit(ada);
      expect(fresh.statusCode).toBe(200);
      expect(fresh.headers['cache-control']).toBe('no-store');
      expect(fresh.json()).toEqual({ Limit: 200_000, Spent: 0, Remaining: 200_000 });
      await pay(alone, ada, { paytag: bola.paytag, amount: 1_000.25, reference: 't1' });
      expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 1_050.25, Remaining: 198_949.75 });
    }),
  );

  it(
    'is one for all wallets of a customer: what is spent at one partner is spent at every other',
    withinOneDay(async () => {
      const [here, there] = [await alone.newPartner({ float: 300_000 }), await alone.newPartner({ float: 300_000 })];
      const [ada, bola] = [await loggedIn(alone, here, 200_000), await loggedIn(alone, here)];
      const elsewhere = await logInAt(alone, there, ada, 200_000);
      await pay(alone, ada, { paytag: bola.paytag, amount: 150_000, reference: 't1' });
      expect((await limit(elsewhere)).json()).toEqual({ Limit: 200_000, Spent: 150_050, Remaining: 49_950 });
      const over = await pay(alone, elsewhere, { paytag: bola.paytag, amount: 49_901, reference: 't2' });
      expect(refusalOf(over)).toEqual([422, 'LIMIT_EXCEEDED']);
      const answer = await pay(alone, elsewhere, { paytag: bola.paytag, amount: 49_900, reference: 't3' });
      expect(answer.statusCode).toBe(200);
      expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 200_000, Remaining: 0 });
    }),
  );

  it('what came in, the partner’s own debits and their refunds, and what was declined do not count', async () => {
    const partner = await alone.newPartner({ float: 50_000 });
    const [ada, bola] = [await loggedIn(alone, partner, 1_000), await loggedIn(alone, partner, 10)];
    await moveMoney(alone, partner, ada.wallet, 'debit', { amount: 100, reference: 'debit' });
    await refund(alone, partner, 'debit', { reference: 'refund' });
    await pay(alone, ada, { paytag: bola.paytag, amount: 5_000, reference: 'over' });
    expect((await limit(ada)).json()).toMatchObject({ Spent: 0 });
    await pay(alone, ada, { paytag: bola.paytag, amount: 10, reference: 't' });
    expect((await limit(bola)).json()).toMatchObject({ Spent: 0 });
  });

  it(
    'begins anew with the next day',
    withinOneDay(async () => {
      const partner = await alone.newPartner({ float: 1_000 });
      const [ada, bola] = [await loggedIn(alone, partner, 500), await loggedIn(alone, partner)];
      await pay(alone, ada, { paytag: bola.paytag, amount: 100, reference: 't' });
      // Her token would not live until tomorrow, so today's spending becomes yesterday's.
      await alone.owner.query(
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
      const partner = await alone.newPartner({ float: 1_000 });
      const [ada, bola] = [await loggedIn(alone, partner, 500), await loggedIn(alone, partner)];
      await pay(alone, ada, { paytag: bola.paytag, amount: 100, reference: 't' });
      await changeWallet(alone, ada.wallet, { tier: 3 });
      expect((await limit(ada)).json()).toEqual({ Limit: 5_000_000, Spent: 150, Remaining: 4_999_850 });
      await changeWallet(alone, ada.wallet, { dailyLimit: 120 });
      expect((await limit(ada)).json()).toEqual({ Limit: 120, Spent: 150, Remaining: 0 });
      await changeWallet(alone, ada.wallet, { dailyLimit: null });
      expect((await limit(ada)).json()).toMatchObject({ Limit: 5_000_000 });
    }),
  );
});

describe('a clock that is set back', () => {
  const alone = useApp({ FEE_TRANSFER: '50' });
  const limit = async ({ headers }: Pick<LoggedIn, 'headers'>) =>
    alone.call('GET', '/v2/sso/wallet/limit', { headers });

  describe('after the clock of the database was set back over midnight', () => {
    it('what was spent still counts, at every partner; and the statement and the day that have the entries are read', async () => {
      const [here, there] = [await alone.newPartner({ float: 300_000 }), await alone.newPartner({ float: 300_000 })];
      const [ada, bola] = [await loggedIn(alone, here, 200_000), await loggedIn(alone, here)];
      const elsewhere = await logInAt(alone, there, ada);
      await pay(alone, ada, { paytag: bola.paytag, amount: 150_000, reference: 't1' });
      await alone.owner.query(A_DAY_AHEAD);

      expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 150_050, Remaining: 49_950 });
      // This wallet was never moved: its time is the clock's, and yet no earlier than what its customer has spent.
      await moveMoney(alone, there, elsewhere.wallet, 'credit', { amount: 100_000, reference: 'back-in-time' });
      const over = await pay(alone, elsewhere, { paytag: bola.paytag, amount: 49_901, reference: 't2' });
      expect(refusalOf(over)).toEqual([422, 'LIMIT_EXCEEDED']);
      const within = await pay(alone, elsewhere, { paytag: bola.paytag, amount: 40_000, reference: 't3' });
      expect(within.statusCode).toBe(200);
      expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 190_100, Remaining: 9_900 });

      const tomorrow = businessDay(new Date(Date.now() + 86_400_000));
      for (const query of ['', `&to=${tomorrow}`, `&from=${tomorrow}&to=${tomorrow}`]) {
        const url = `/v2/sso/transaction/statement?format=csv${query}`;
        const link = (await alone.call('POST', url, { headers: ada.headers })).json<{ url: string }>().url;
        const { pathname, search } = new URL(link);
        expect((await alone.call('GET', pathname + search)).body).toContain('150050.00');
      }
      const day = await alone.call('GET', `/v2/partner/day/${tomorrow}`, { headers: here.headers });
      expect([day.statusCode, day.json()]).toEqual([200, expect.objectContaining({ Closed: false, Ties: true })]);
      expect((await alone.operate('GET', `/partners/${here.id}/day/${tomorrow}`)).statusCode).toBe(200);
      expect((await alone.operate('GET', `/ledger/trial-balance/${tomorrow}`)).statusCode).toBe(200);
      const after = businessDay(new Date(Date.now() + 2 * 86_400_000));
      expect((await alone.call('GET', `/v2/partner/day/${after}`, { headers: here.headers })).statusCode).toBe(400);
      // That it is dated a day ahead is told, and nothing else is wrong.
      expect(await brokenInvariants(alone)).toEqual(['nothing_is_dated_ahead']);
    });
  });
});
