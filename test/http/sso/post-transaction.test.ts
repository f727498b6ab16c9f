import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf, leavesNothingBut } from '../../support/books.ts';
import { changeWallet, type LoggedIn, loggedIn, logInAt, pay } from '../../support/wallets.ts';
import { withinOneDay } from './one-day.ts';

const server = useApp({ FEE_TRANSFER: '1%<=25', FEE_STAMP_DUTY: '50>=10000' });

async function adaAndBola(naira: number): Promise<{ ada: LoggedIn; bola: LoggedIn; partner: TestPartner }> {
  const partner = await server.newPartner({ float: naira });
  return { partner, ada: await loggedIn(server, partner, naira), bola: await loggedIn(server, partner) };
}
const balance = async ({ headers }: LoggedIn): Promise<number> =>
  (await server.call('GET', '/v2/sso/wallet', { headers })).json().Balance;

describe('200', () => {
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
});

describe('409', () => {
  it('REFERENCE_REUSED for another amount, another PayTag, and from another partner', async () => {
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
      const answer = await leavesNothingBut(server, 0, () => pay(server, payer, payload));
      expect(answer.statusCode).toBe(409);
      expect(answer.json().errorCode).toBe('REFERENCE_REUSED');
    }
  });
});

describe('422', () => {
  /** The errorCode of a transfer that is refused for good and leaves nothing but its declined reference. */
  const refusalOf = async (payer: LoggedIn, payload: { paytag: string; amount: number }): Promise<string> => {
    const asked = { ...payload, reference: `r-${payload.amount}` };
    const answer = await leavesNothingBut(server, 1, () => pay(server, payer, asked));
    const again = await leavesNothingBut(server, 0, () => pay(server, payer, asked));
    expect([answer.statusCode, again.statusCode]).toEqual([422, 422]);
    const { errorCode } = answer.json<{ errorCode: string }>();
    expect(again.json().errorCode).toBe(errorCode);
    return errorCode;
  };

  it('INSUFFICIENT_FUNDS, the fee counted', async () => {
    const { ada, bola } = await adaAndBola(100);
    expect(await refusalOf(ada, { paytag: bola.paytag, amount: 100 })).toBe('INSUFFICIENT_FUNDS');
    expect((await pay(server, ada, { paytag: bola.paytag, amount: 99, reference: 'fits' })).statusCode).toBe(200);
  });

  it(
    'LIMIT_EXCEEDED by one kobo, the fee counted, and exactly the limit comes through',
    withinOneDay(async () => {
      const { ada, bola } = await adaAndBola(500);
      await changeWallet(server, ada.wallet, { dailyLimit: 303 });
      await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'first' });
      expect(await refusalOf(ada, { paytag: bola.paytag, amount: 200.01 })).toBe('LIMIT_EXCEEDED');
      expect((await pay(server, ada, { paytag: bola.paytag, amount: 200, reference: 'rest' })).statusCode).toBe(200);
      expect(await refusalOf(ada, { paytag: bola.paytag, amount: 0.01 })).toBe('LIMIT_EXCEEDED');
    }),
  );

  it('a wallet that pays out or takes in nothing: WALLET_PND, WALLET_PNC, WALLET_BLOCKED', async () => {
    const { ada, bola } = await adaAndBola(100);
    for (const [wallet, status, errorCode, amount] of [
      [ada.wallet, 'PND', 'WALLET_PND', 1],
      [ada.wallet, 'Blocked', 'WALLET_BLOCKED', 2],
      [bola.wallet, 'PNC', 'WALLET_PNC', 3],
      [bola.wallet, 'Blocked', 'WALLET_BLOCKED', 4],
    ] as const) {
      await changeWallet(server, wallet, { status });
      expect(await refusalOf(ada, { paytag: bola.paytag, amount })).toBe(errorCode);
      await changeWallet(server, wallet, { status: 'Enabled' });
    }
  });

  it('PAYTAG_SUSPENDED', async () => {
    const { ada, bola } = await adaAndBola(100);
    await server.operate('POST', `/tags/${bola.paytag}/suspend`, { reason: 'a test' });
    expect(await refusalOf(ada, { paytag: bola.paytag, amount: 1 })).toBe('PAYTAG_SUSPENDED');
  });
});

it('the books are in order after all this', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
