import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { eventsOf } from '../../support/books.ts';
import { fundedWallet, kycWallet, loggedIn, moveMoney, refund } from '../../support/wallets.ts';

const server = useApp();
const patch = (wallet: string, body: object) => server.operate('PATCH', `/wallets/${wallet}`, body);

describe('200', () => {
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
      {
        actor: 'operator',
        action: 'wallet.change',
        before: { status: 'Enabled', dailyLimit: null, tier: 1 },
        after: { status: 'Blocked', dailyLimit: null, tier: 1 },
        reason: 'suspected fraud',
      },
      {
        actor: 'operator',
        action: 'wallet.change',
        before: { status: 'Blocked', dailyLimit: null, tier: 1 },
        after: { status: 'Blocked', dailyLimit: '1000', tier: 2 },
        reason: 'cleared',
      },
    ]);
  });

  it('brings every refund that waited when the wallet takes money again, and none while it does not', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    for (const reference of ['a', 'b']) {
      await moveMoney(server, partner, wallet, 'debit', { amount: 30, reference });
    }
    await patch(wallet, { status: 'Blocked', reason: 'r' });
    for (const reference of ['a', 'b']) await refund(server, partner, reference, { reference: `back-${reference}` });
    expect((await patch(wallet, { status: 'PNC', reason: 'r' })).json()).toMatchObject({ totalAmount: 40 });
    expect((await patch(wallet, { status: 'PND', reason: 'r' })).json()).toMatchObject({ totalAmount: 100 });
    const told = await eventsOf(server, wallet);
    expect(told.map(({ data }) => (data as { Amount: number }).Amount)).toEqual([100, -30, -30, 30, 30]);
  });

  it('shows a customer’s PayTag and that her first wallet is the primary one', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const answer = await server.operate('GET', `/wallets/${ada.wallet}`);
    expect(answer.json()).toMatchObject({ paytag: ada.paytag, isPrimary: true, tier: 2, dailyLimit: 200_000 });
    expect(answer.json().customerId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body).not.toMatch(/bvn|phone|234803/i);
  });
});

describe('400', () => {
  it.each([
    ['a status that is none', { status: 'Frozen', reason: 'r' }, 'status'],
    ['no reason', { status: 'PND' }, 'reason'],
    ['an empty reason', { status: 'PND', reason: ' ' }, 'reason'],
    ['a limit below 0', { dailyLimit: -1, reason: 'r' }, 'dailyLimit'],
    ['a limit of three decimals', { dailyLimit: 1.001, reason: 'r' }, 'dailyLimit'],
    ['a tier that is none', { tier: 4, reason: 'r' }, 'tier'],
    ['nothing to change', { reason: 'r' }, 'status'],
  ])('%s', async (_what, body, field) => {
    const wallet = await kycWallet(server, await server.newPartner());
    const answer = await patch(wallet, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatch(new RegExp(`^${field}: `));
    expect(await auditOf(server, wallet)).toEqual([]);
  });
});

it('401: without the operator token', async () => {
  expect((await server.call('PATCH', '/operator/v1/wallets/PW-x', { payload: {} })).statusCode).toBe(401);
});

it('404: a wallet nobody has', async () => {
  const answer = await patch('PW-nobody', { status: 'PND', reason: 'r' });
  expect(answer.statusCode).toBe(404);
  expect(answer.json().errorCode).toBe('WALLET_NOT_FOUND');
  expect(await auditOf(server, 'PW-nobody')).toEqual([]);
});
