import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { authCode, exchange } from '../../support/onboarding.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { refusalOf } from '../../support/refusals.ts';
import {
  changeWallet,
  fundedWallet,
  kycWallet,
  loggedIn,
  logInAt,
  moveMoney,
  newWallet,
  pay,
  refund,
  waitingPayment,
} from '../../support/wallets.ts';

const server = useApp();

describe('GET /wallets', () => {
  const find = (query: string) => server.operate('GET', `/wallets?${query}`);
  const referencesIn = async (query: string): Promise<string[]> =>
    (await find(query)).json<{ items: { reference: string }[] }>().items.map(({ reference }) => reference);

  it('finds the wallet of an account number, as it is shown by itself without its rules', async () => {
    const { wallet } = await fundedWallet(server, 100);
    const { tier, dailyLimit, dailyLimitFrom, spentToday, liens, ...listed } = (
      await server.operate('GET', `/wallets/${wallet}`)
    ).json();
    expect({ tier, dailyLimitFrom, spentToday, liens }).toEqual({
      tier: 1,
      dailyLimitFrom: 'tier',
      spentToday: 0,
      liens: [],
    });
    expect(dailyLimit).toBe(50_000);
    const answer = await find(`nuban=${listed.nuban}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({ items: [listed], count: 1, limit: 20, offset: 0 });
    expect(await referencesIn('nuban=0000000000')).toEqual([]);
  });

  it('finds those of a PayTag at every partner, without who its owner is', async () => {
    const [home, other] = [await server.newPartner(), await server.newPartner()];
    const ada = await loggedIn(server, home);
    const elsewhere = await logInAt(server, other, ada);
    expect(await referencesIn(`paytag=${ada.paytag}`)).toEqual([elsewhere.wallet, ada.wallet]);
    expect(await referencesIn(`paytag=@${ada.paytag}&partnerId=${home.id}`)).toEqual([ada.wallet]);
    expect(await referencesIn('paytag=nobody-here')).toEqual([]);
    const { body } = await find(`paytag=${ada.paytag}`);
    for (const secret of [ada.bvn, ada.phone.slice(-10)]) expect(body).not.toContain(secret);
  });

  it('finds those of a partner, newest first, in pages, the revoked ones too', async () => {
    const partner = await server.newPartner();
    const [first, second] = [await newWallet(server, partner), await newWallet(server, partner)];
    await server.operate('POST', `/wallets/${first.reference}/revoke`, { reason: 'r' });
    const mine = `partnerId=${partner.id}`;
    expect(await referencesIn(mine)).toEqual([second.reference, first.reference]);
    expect((await find(`${mine}&limit=1&offset=1`)).json()).toMatchObject({
      count: 2,
      limit: 1,
      offset: 1,
      items: [{ reference: first.reference, status: 'Blocked', revokedAt: expect.any(String) }],
    });
    expect((await find(`${mine}&limit=0`)).json()).toEqual({ items: [], count: 2, limit: 0, offset: 0 });
    expect((await find('limit=101')).json().limit).toBe(100);
  });
});

describe('GET /wallets/{reference}', () => {
  it('the wallet of whichever partner, with the liens in force', async () => {
    const { wallet } = await fundedWallet(server, 100);
    const place = async (amount: number, reason: string) =>
      (await server.operate('POST', `/wallets/${wallet}/liens`, { amount, reason })).json();
    const [first, second] = [await place(30, 'debt'), await place(500, 'court order')];
    expect((await server.operate('GET', `/wallets/${wallet}`)).json()).toMatchObject({
      totalAmount: 100,
      blockedAmount: 100,
      availableAmount: 0,
      liens: [first, second],
    });
    await server.operate('POST', `/wallets/${wallet}/liens/${second.id}/lift`, { reason: 'paid' });
    expect((await server.operate('GET', `/wallets/${wallet}`)).json()).toMatchObject({
      blockedAmount: 30,
      availableAmount: 70,
      liens: [first],
    });
  });

  it('shows a customer’s PayTag and that their first wallet is the primary one', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const answer = await server.operate('GET', `/wallets/${ada.wallet}`);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ paytag: ada.paytag, isPrimary: true, tier: 2, dailyLimit: 200_000 });
    expect(answer.json().customerId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body).not.toMatch(/bvn|phone|234803/i);
  });
});

describe('GET /wallets/{reference}/history', () => {
  const ask = (path: string) => server.operate('GET', path);
  const itemsOf = async (path: string) => {
    const answer = await ask(path);
    expect(answer.statusCode).toBe(200);
    return answer.json<{ items: { Reference: string }[] }>().items;
  };
  const referencesIn = async (path: string) => (await itemsOf(path)).map(({ Reference }) => Reference);

  let partner: TestPartner;
  let wallet: string;
  beforeAll(async () => {
    ({ partner, wallet } = await fundedWallet(server, 100));
    const move = (type: 'credit' | 'debit', body: object) => moveMoney(server, partner, wallet, type, body);
    await move('debit', { amount: 10, reference: 'ten', externalReference: 'order-9' });
    await move('debit', { amount: 5000, reference: 'refused' });
    await move('credit', { amount: 4, reference: 'four' });
  });

  it('what moved a wallet, newest first, with its balance before and after, in pages', async () => {
    const { items, count, nextCursor } = (await ask(`/wallets/${wallet}/history?limit=2`)).json();
    expect(items).toMatchObject([
      { Reference: 'four', OpeningBalance: 90, ClosingBalance: 94, PartnerID: partner.id, Namer: 'PARTNER' },
      { Reference: 'ten', OpeningBalance: 100, ClosingBalance: 90 },
    ]);
    expect(count).toBe(3);
    expect(await referencesIn(`/wallets/${wallet}/history?limit=2&cursor=${nextCursor}`)).toEqual(['opening']);
  });

  it.each([
    ['type=PARTNER_WALLET_DEBIT', ['ten']],
    ['amountFrom=5&amountTo=50', ['ten']],
    ['externalReference=order-9', ['ten']],
    ['status=Failed', []],
    ['to=2020-01-01T00:00:00Z', []],
    ['from=2020-01-01T00:00:00Z&namer=PARTNER', ['four', 'ten', 'opening']],
  ])('that is %s', async (query, expected) => {
    expect(await referencesIn(`/wallets/${wallet}/history?${query}`)).toEqual(expected);
  });

  it('as a file', async () => {
    const { body, headers } = await ask(`/wallets/${wallet}/history?format=csv`);
    expect(headers['content-disposition']).toBe('attachment; filename="history.csv"');
    expect(body.trimEnd().split('\r\n')).toHaveLength(4);
  });

  it('of the side of a transfer that received it, what that side may know', async () => {
    const [ada, bola] = [
      await loggedIn(server, await server.newPartner({ float: 9 }), 9),
      await loggedIn(server, partner),
    ];
    await pay(server, ada, { paytag: bola.paytag, amount: 5, reference: 'rent' });
    expect(await itemsOf(`/wallets/${bola.wallet}/history`)).toMatchObject([{ Type: 'TRANSFER', ClosingBalance: 5 }]);
    expect(await itemsOf(`/wallets/${ada.wallet}/history`)).toMatchObject([{ ExternalReference: 'rent' }, {}]);
  });

  describe('transactions of a wallet', () => {
    it('are those that moved it, those that it was refused, or those that wait', async () => {
      expect(await referencesIn(`/transactions?wallet=${wallet}`)).toEqual(['four', 'ten', 'opening']);
      expect(await referencesIn(`/transactions?wallet=${wallet}&type=PARTNER_WALLET_CREDIT`)).toEqual([
        'four',
        'opening',
      ]);
      expect(await itemsOf(`/transactions?wallet=${wallet}&status=Failed`)).toMatchObject([
        { Reference: 'refused', FailureReason: 'INSUFFICIENT_FUNDS' },
      ]);
      expect(await referencesIn(`/transactions?wallet=${wallet}&reference=ten`)).toEqual(['ten']);
      expect(await referencesIn(`/transactions?wallet=PW-nobody`)).toEqual([]);
      const waits = await waitingPayment(server, partner);
      const waiting = `/transactions?wallet=${waits.wallet.reference}`;
      expect(await referencesIn(`${waiting}&status=Pending`)).toEqual([waits.reference]);
      expect(await referencesIn(waiting)).toEqual([]);
    });

    it('that are Pending are payouts on their way too, and of those that are Failed one reason is asked for', async () => {
      const payout = await unknownPayout(server);
      const pending = async (query: string) => referencesIn(`/transactions?status=Pending&${query}`);
      expect(await pending(`wallet=${payout.wallet}`)).toEqual(['payout']);
      expect(await pending(`partnerId=${payout.partner.id}`)).toEqual(['payout']);
      const failed = (code: string) =>
        referencesIn(`/transactions?partnerId=${partner.id}&status=Failed&failureReason=${code}`);
      expect(await failed('INSUFFICIENT_FUNDS')).toEqual(['refused']);
      expect(await failed('WALLET_PND')).toEqual([]);
    });

    it('are found by a reference whoever gave it', async () => {
      expect(await referencesIn('/transactions?reference=ten')).toEqual(['ten']);
      expect(await referencesIn('/transactions?externalReference=order-9')).toEqual(['ten']);
    });
  });
});

describe('GET /wallets/{reference}/holds', () => {
  const ask = (wallet: string, query = '') => server.operate('GET', `/wallets/${wallet}/holds${query}`);

  it('what is set aside of a wallet, and what for', async () => {
    const { wallet } = await unknownPayout(server);
    const { items, count } = (await ask(wallet)).json();
    expect(count).toBe(1);
    expect(items).toMatchObject([{ amount: 300.03, reference: 'payout', type: 'PAYOUT' }]);
    expect((await ask(wallet, '?format=csv')).body).toMatch(
      /^\ufeffid,amount,reference,.*\r\n\d+,300\.03,payout,PAYOUT,/,
    );
  });

  it('nothing, where nothing is', async () => {
    const wallet = await kycWallet(server, await server.newPartner());
    expect((await ask(wallet)).json()).toMatchObject({ items: [], count: 0 });
  });
});

describe('PATCH /wallets/{reference}', () => {
  const patch = (wallet: string, body: object) => server.operate('PATCH', `/wallets/${wallet}`, body);

  it('changes status, daily limit and tier, and answers the wallet', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    const answer = await patch(wallet, { status: 'PND', dailyLimit: 75.5, tier: 3, reason: 'court order 12' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      reference: wallet,
      partnerId: partner.id,
      kycProfileId: expect.any(Number),
      name: 'Chidi Okafor',
      nuban: expect.stringMatching(/^\d{10}$/),
      currency: 'NGN',
      status: 'PND',
      tier: 3,
      dailyLimit: 75.5,
      dailyLimitFrom: 'operator',
      spentToday: 0,
      totalAmount: 500,
      suspendedAmount: 0,
      blockedAmount: 0,
      availableAmount: 500,
      liens: [],
      isPrimary: false,
      revokedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await moveMoney(server, partner, wallet, 'debit', { amount: 1, reference: 'r' })).statusCode).toBe(422);
  });

  it('what is not given stays; a limit of 0 allows nothing, and null gives the tier’s back', async () => {
    const wallet = await kycWallet(server, await server.newPartner());
    expect((await patch(wallet, { dailyLimit: 0, reason: 'r' })).json()).toMatchObject({ dailyLimit: 0, tier: 1 });
    expect((await patch(wallet, { status: 'PNC', reason: 'r' })).json()).toMatchObject({ dailyLimit: 0 });
    expect((await patch(wallet, { dailyLimit: null, reason: 'r' })).json()).toMatchObject({
      status: 'PNC',
      dailyLimit: 50_000,
      dailyLimitFrom: 'tier',
    });
    expect((await patch(wallet, { tier: 2, reason: 'r' })).json()).toMatchObject({ dailyLimit: 200_000 });
  });

  it('is in the audit log with before, after and the reason', async () => {
    const wallet = await kycWallet(server, await server.newPartner());
    await patch(wallet, { status: 'Blocked', reason: 'suspected fraud' });
    await patch(wallet, { dailyLimit: 10, tier: 2, reason: 'cleared' });
    expect(await auditOf(server, wallet)).toEqual([
      byRoot('wallet.change', {
        before: { status: 'Enabled', dailyLimit: null, tier: 1 },
        after: { status: 'Blocked', dailyLimit: null, tier: 1 },
        reason: 'suspected fraud',
      }),
      byRoot('wallet.change', {
        before: { status: 'Blocked', dailyLimit: null, tier: 1 },
        after: { status: 'Blocked', dailyLimit: '1000', tier: 2 },
        reason: 'cleared',
      }),
    ]);
  });
});

describe('POST /wallets/{reference}/revoke', () => {
  const revoke = (wallet: string, body: object = { reason: 'she asked us to' }) =>
    server.operate('POST', `/wallets/${wallet}/revoke`, body);
  const shown = async (wallet: string) => (await server.operate('GET', `/wallets/${wallet}`)).json();

  it('ends the wallet, and the customer’s tokens and codes there, and at no other partner', async () => {
    const [home, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, home);
    const elsewhere = await logInAt(server, other, ada);
    const code = await authCode(server, home, ada.paytag);
    const answer = await revoke(ada.wallet);
    expect(answer.json()).toMatchObject({ status: 'Blocked', revokedAt: expect.any(String), isPrimary: false });
    const token = (headers: Record<string, string>) => server.call('GET', '/v2/sso/wallet', { headers });
    expect((await token(ada.headers)).json()).toMatchObject({ errorCode: 'INVALID_CUSTOMER_TOKEN' });
    expect((await exchange(server, home, code)).statusCode).toBe(401);
    expect((await token(elsewhere.headers)).statusCode).toBe(200);
    const seen = await server.call('GET', `/v2/partner/wallet/${ada.wallet}`, { headers: home.headers });
    expect(seen.json()).toMatchObject({ Reference: ada.wallet, RevokedAt: answer.json().revokedAt });
    expect(await auditOf(server, ada.wallet)).toEqual([
      expect.objectContaining({ action: 'wallet.revoke', actor: 'operator:root', reason: 'she asked us to' }),
    ]);
  });

  it('moves no money of it any more, and cannot be undone', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    const { nuban } = await shown(wallet);
    await revoke(wallet);
    for (const move of ['credit', 'debit'] as const) {
      expect((await moveMoney(server, partner, wallet, move, { amount: 1, reference: move })).statusCode).toBe(404);
    }
    const sender = { name: 'Somebody' };
    const inbound = { type: 'INBOUND', nuban, amount: 1, reference: 'in-1', sender };
    const arrived = await server.operate('POST', '/transactions', inbound);
    expect(arrived.json()).toMatchObject({ Status: 'Pending', PendingReason: 'WALLET_REVOKED' });
    expect(refusalOf(await changeWallet(server, wallet, { status: 'Enabled' }))).toEqual([409, 'WALLET_REVOKED']);
  });

  it('changes nothing the second time', async () => {
    const partner = await server.newPartner();
    const wallet = await kycWallet(server, partner);
    const [first, second] = [await revoke(wallet), await revoke(wallet)];
    expect(second.json()).toEqual(first.json());
    expect(await auditOf(server, wallet)).toHaveLength(1);
  });

  const refused = { errorCode: 'WALLET_NOT_EMPTY' };

  it('409: keeps a wallet with money, with a lien, or to which a refund is on its way', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference: 'in' });
    expect((await revoke(wallet)).json()).toMatchObject(refused);
    await moveMoney(server, partner, wallet, 'debit', { amount: 10, reference: 'out' });
    await changeWallet(server, wallet, { status: 'Blocked' });
    expect((await refund(server, partner, 'out', { reference: 'back' })).json()).toMatchObject({ Status: 'Pending' });
    expect((await revoke(wallet)).json()).toMatchObject(refused);

    const other = await kycWallet(server, partner);
    await server.operate('POST', `/wallets/${other}/liens`, { amount: 5, reason: 'a court says so' });
    const answer = await revoke(other);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject(refused);
    expect((await shown(other)).revokedAt).toBeNull();
  });
});
