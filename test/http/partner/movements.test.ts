import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { postingBetween } from '../../support/post.ts';
import { refusalOf } from '../../support/refusals.ts';
import { openLocker } from '../../support/row-locks.ts';
import { fundedWallet, kycWallet, loggedIn, moveMoney, pay, refund } from '../../support/wallets.ts';

const server = useApp();

async function walletOf(partner: TestPartner): Promise<string> {
  const opened = await server.call('POST', '/v2/partner/wallet', {
    headers: partner.headers,
    payload: { kyc: { firstName: 'Chidi', lastName: 'Okafor' } },
  });
  return opened.json().Reference;
}

const entries = async (wallet: string): Promise<number> => {
  const { rows } = await server.owner.query(
    'select count(*)::int as n from ledger.entry e join ledger.account a on a.id = e.account_id where a.reference = $1',
    [wallet],
  );
  return rows[0].n;
};

describe('GET /float', () => {
  const alone = useApp({ FEE_PARTNER_WALLET_DEBIT: '1.25' });

  it('200: the partner’s current float in each currency', async () => {
    const { partner, wallet } = await fundedWallet(alone, 500);
    await alone.operate('POST', `/partners/${partner.id}/float`, { amount: 7.5, currency: 'FP', reference: 'points' });
    await moveMoney(alone, partner, wallet, 'debit', { amount: 100, reference: 'back' });
    const answer = await alone.call('GET', '/v2/partner/float', { headers: partner.headers });
    expect(answer.statusCode).toBe(200);
    const rest = { SuspendedAmount: 0, BlockedAmount: 0 };
    expect(answer.json()).toEqual({
      items: [
        { Currency: 'NGN', Balance: 98.75, TotalAmount: 98.75, AvailableAmount: 98.75, ...rest },
        { Currency: 'FP', Balance: 7.5, TotalAmount: 7.5, AvailableAmount: 7.5, ...rest },
      ],
    });
  });
});

describe('POST /wallet/{reference}/credit', () => {
  const credit = (partner: TestPartner, wallet: string, payload: object | string) =>
    server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
      headers: { ...partner.headers, 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  it('moves money from the float and says the balances around it', async () => {
    const partner = await server.newPartner({ float: 5000 });
    const wallet = await walletOf(partner);
    await credit(partner, wallet, { amount: 1000, reference: 'first' });
    const answer = await credit(partner, wallet, {
      amount: 250.5,
      reference: 'second',
      externalReference: 'order-9',
      comment: 'Refill',
      metadata: { shop: 'Yaba', till: 3 },
    });
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      Type: 'PARTNER_WALLET_CREDIT',
      Amount: 250.5,
      Fee: 0,
      Commission: 0,
      Net: 250.5,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: 'second',
      ExternalReference: 'order-9',
      Comment: 'Refill',
      OpeningBalance: 1000,
      ClosingBalance: 1250.5,
      CreatedAt: expect.any(String),
      CompletedAt: expect.any(String),
      Metadata: { shop: 'Yaba', till: 3 },
    });
  });

  it('answers a repeated reference as it did, and moves money once', async () => {
    const partner = await server.newPartner({ float: 5000 });
    const wallet = await walletOf(partner);
    const first = await credit(partner, wallet, { amount: 10, reference: 'same' });
    const second = await credit(partner, wallet, { amount: 10, reference: 'same' });
    expect(second.json()).toEqual(first.json());
    expect(await entries(wallet)).toBe(1);
  });

  it('422: more than the float holds, and nothing is written but the refused reference', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await walletOf(partner);
    expect(refusalOf(await credit(partner, wallet, { amount: 100.01, reference: 'over' }))).toEqual([
      422,
      'INSUFFICIENT_FUNDS',
    ]);
    expect(await entries(wallet)).toBe(0);
    expect((await credit(partner, wallet, { amount: 100, reference: 'exactly' })).statusCode).toBe(200);
  });
});

describe('POST /wallet/{reference}/credit of a busy wallet', () => {
  /** Two calls of as many as one takes, and what may wait behind them. */
  const ACCEPTED = 2 * 64 + 1_024;

  it('a credit beyond what may wait is 503 with Retry-After at once, and moves its money when it is sent again', async () => {
    const { id, headers } = await server.newPartner({ float: 100 });
    const payload = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    const wallet = (await server.call('POST', '/v2/partner/wallet', { headers, payload })).json().Reference;
    const { pool, poster } = server.resources;
    const { rows } = await pool.query(
      `select (select id from ledger.account where kind = 'FLOAT' and partner_id = $1 and currency = 'NGN') as float,
            (select id from ledger.account where kind = 'WALLET' and partner_id = $1) as wallet`,
      [id],
    );
    const accounts = { float: Number(rows[0].float), wallet: Number(rows[0].wallet) };
    const locker = await openLocker(pool);
    await locker.lock('ledger.account', [accounts.float]);
    const accepted = Array.from({ length: ACCEPTED }, (_, at) =>
      poster.post(
        postingBetween(accounts.float, accounts.wallet, 1n, { owner: id, partner: id, reference: `w-${at}` }),
      ),
    );
    const credit = () =>
      server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
        headers,
        payload: { amount: 1, reference: 'late' },
      });
    const refused = await credit();
    expect([refused.statusCode, refused.json().errorCode, refused.headers['retry-after']]).toEqual([503, 'BUSY', '1']);
    await locker.release();
    await Promise.all(accepted);
    expect((await credit()).json()).toMatchObject({ Status: 'Successful', ClosingBalance: 12.52 });
  });
});

describe('POST /wallet/{reference}/debit', () => {
  const debit = (partner: TestPartner, wallet: string, payload: object | string) =>
    server.call('POST', `/v2/partner/wallet/${wallet}/debit`, {
      headers: { ...partner.headers, 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  async function funded(naira: number): Promise<{ partner: TestPartner; wallet: string }> {
    const partner = await server.newPartner({ float: naira });
    const wallet = await walletOf(partner);
    const credited = await server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
      headers: partner.headers,
      payload: { amount: naira, reference: 'opening' },
    });
    expect(credited.statusCode).toBe(200);
    return { partner, wallet };
  }

  it('moves money back into the float and says the balances around it', async () => {
    const { partner, wallet } = await funded(500);
    const answer = await debit(partner, wallet, { amount: 199.99, reference: 'out' });
    expect(answer.json()).toMatchObject({
      Type: 'PARTNER_WALLET_DEBIT',
      Amount: 199.99,
      Net: 199.99,
      Status: 'Successful',
      OpeningBalance: 500,
      ClosingBalance: 300.01,
    });
    const back = await server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
      headers: partner.headers,
      payload: { amount: 199.99, reference: 'the-float-has-it-again' },
    });
    expect(back.statusCode).toBe(200);
  });

  it('422: more than the wallet holds, and no entry is written; the reference stays refused', async () => {
    const { partner, wallet } = await funded(500);
    for (let turn = 0; turn < 2; turn++) {
      expect(refusalOf(await debit(partner, wallet, { amount: 500.01, reference: 'over' }))).toEqual([
        422,
        'INSUFFICIENT_FUNDS',
      ]);
    }
    expect(await entries(wallet)).toBe(1);
  });
});

describe('GET /wallet/{reference}/history', () => {
  const alone = useApp({ FEE_PARTNER_WALLET_CREDIT: '0.50' });
  const history = (headers: Record<string, string>, reference: string, query = '') =>
    alone.call('GET', `/v2/partner/wallet/${reference}/history${query}`, { headers });

  it('every movement, newest first, its balances following on from one another', async () => {
    const partner = await alone.newPartner({ float: 1000 });
    const wallet = await kycWallet(alone, partner);
    await moveMoney(alone, partner, wallet, 'credit', { amount: 500, reference: 'salary', comment: 'May' });
    await moveMoney(alone, partner, wallet, 'debit', { amount: 120.25, reference: 'rent' });
    await moveMoney(alone, partner, wallet, 'debit', { amount: 5000, reference: 'declined' });
    await refund(alone, partner, 'rent', { reference: 'rent-back', amount: 20.25 });

    const answer = await history(partner.headers, wallet);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ count: 3, limit: 20, offset: 0 });
    expect(answer.json().items).toMatchObject([
      { Type: 'PARTNER_REFUND', Amount: 20.25, ExternalReference: 'rent', OpeningBalance: 379.75, ClosingBalance: 400 },
      { Type: 'PARTNER_WALLET_DEBIT', Amount: 120.25, Reference: 'rent', OpeningBalance: 500, ClosingBalance: 379.75 },
      { Type: 'PARTNER_WALLET_CREDIT', Amount: 500, Fee: 0.5, Comment: 'May', OpeningBalance: 0, ClosingBalance: 500 },
    ]);
  });

  it('in pages, the last one short, and past the end an empty one', async () => {
    const { partner, wallet } = await fundedWallet(alone, 0);
    await alone.operate('POST', `/partners/${partner.id}/float`, { amount: 100, reference: `f-${partner.id}` });
    for (let turn = 1; turn <= 7; turn++) {
      await moveMoney(alone, partner, wallet, 'credit', { amount: 1, reference: `r${turn}` });
    }
    const page = async (query: string) => {
      const { items, count } = (await history(partner.headers, wallet, query)).json();
      return [items.map(({ Reference }: { Reference: string }) => Reference), count];
    };
    expect(await page('?limit=3')).toEqual([['r7', 'r6', 'r5'], 7]);
    expect(await page('?limit=3&offset=6')).toEqual([['r1'], 7]);
    expect(await page('?limit=3&offset=7')).toEqual([[], 7]);
    expect(await page('?limit=3&offset=999999999')).toEqual([[], 7]);
    expect(await page('?limit=0')).toEqual([[], 7]);
  });

  it('of a wallet that nothing moved: empty', async () => {
    const partner = await alone.newPartner();
    const answer = await history(partner.headers, await kycWallet(alone, partner));
    expect(answer.json()).toEqual({ items: [], count: 0, limit: 20, offset: 0 });
  });
});

describe('GET /transaction/{reference}', () => {
  const alone = useApp({ FEE_TRANSFER: '10', FEE_STAMP_DUTY: '5', FEE_PARTNER_WALLET_DEBIT: '1%' });

  const get = (headers: Record<string, string>, reference: string) =>
    alone.call('GET', `/v2/partner/transaction/${encodeURIComponent(reference)}`, { headers });

  it('a transaction by the reference the partner gave it, as it was answered then', async () => {
    const { partner, wallet } = await fundedWallet(alone, 500);
    const payload = { amount: 100, reference: 'order/1?é'.replace('é', 'e'), comment: 'Lunch', metadata: { table: 4 } };
    const debited = await moveMoney(alone, partner, wallet, 'debit', payload);
    const answer = await get(partner.headers, payload.reference);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual(debited.json());
    expect(answer.json()).not.toHaveProperty('FailureReason');
    expect(answer.json()).toMatchObject({ Fee: 0, Net: 99, OpeningBalance: 500, ClosingBalance: 400 });
  });

  it('a declined one is Failed with its reason, and was never completed', async () => {
    const { partner, wallet } = await fundedWallet(alone, 10);
    await moveMoney(alone, partner, wallet, 'debit', { amount: 11, reference: 'over' });
    const { body } = await get(partner.headers, 'over');
    expect(JSON.parse(body)).toMatchObject({ Status: 'Failed', Amount: 11, FailureReason: 'INSUFFICIENT_FUNDS' });
    expect(body).not.toMatch(/CompletedAt|Balance/);
  });

  it('a transfer by our reference: the sender’s partner sees what was paid, the receiver’s only what arrived', async () => {
    const [here, there] = [await alone.newPartner({ float: 1000 }), await alone.newPartner()];
    const [ada, bola] = [await loggedIn(alone, here, 500), await loggedIn(alone, there)];
    const sent = await pay(alone, ada, { paytag: bola.paytag, amount: 100, reference: 'rent', comment: 'May' });
    const { Reference } = sent.json<{ Reference: string }>();
    expect((await get(here.headers, Reference)).json()).toMatchObject({
      Type: 'TRANSFER',
      Amount: 100,
      Fee: 10,
      Net: 95,
      ExternalReference: 'rent',
      OpeningBalance: 500,
      ClosingBalance: 390,
    });
    expect((await get(there.headers, Reference)).json()).toMatchObject({
      Amount: 100,
      Fee: 0,
      Net: 95,
      OpeningBalance: 0,
      ClosingBalance: 95,
    });
    expect((await get(here.headers, 'rent')).statusCode).toBe(404);
  });

  it('404: one that is unknown, another partner’s, or moved no wallet of this partner', async () => {
    const [{ partner }, stranger] = [await fundedWallet(alone, 100), await alone.newPartner({ float: 5 })];
    const [ada, bola] = [await loggedIn(alone, partner), await loggedIn(alone, partner)];
    const declined = await pay(alone, ada, { paytag: bola.paytag, amount: 1, reference: 'declined' });
    expect(declined.statusCode).toBe(422);
    for (const reference of ['opening', 'nothing', 'declined', `opening-${stranger.id}`]) {
      expect(refusalOf(await get(stranger.headers, reference))).toEqual([404, 'TRANSACTION_NOT_FOUND']);
    }
  });
});
