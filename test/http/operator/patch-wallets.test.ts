import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { fundedWallet, kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useSharedApp();
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
        actor: 'operator:root',
        action: 'wallet.change',
        before: { status: 'Enabled', dailyLimit: null, tier: 1 },
        after: { status: 'Blocked', dailyLimit: null, tier: 1 },
        reason: 'suspected fraud',
      },
      {
        actor: 'operator:root',
        action: 'wallet.change',
        before: { status: 'Blocked', dailyLimit: null, tier: 1 },
        after: { status: 'Blocked', dailyLimit: '1000', tier: 2 },
        reason: 'cleared',
      },
    ]);
  });
});
