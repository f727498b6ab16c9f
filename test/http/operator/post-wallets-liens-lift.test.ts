import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants } from '../../support/books.ts';
import { decideDispute, newDispute, walletNow } from '../../support/disputes.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const place = async (wallet: string, amount: number): Promise<number> =>
  (await server.operate('POST', `/wallets/${wallet}/liens`, { amount, reason: 'debt' })).json().id;
const lift = (wallet: string, lien: number | string, body: object = { reason: 'paid' }) =>
  server.operate('POST', `/wallets/${wallet}/liens/${lien}/lift`, body);

describe('200', () => {
  it('lets the amount be spent again, and is audited with its reason', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const lien = await place(wallet, 80);
    const answer = await lift(wallet, lien);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: lien, amount: 80, reason: 'debt', liftedAt: expect.any(String) });
    const all = await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'all' });
    expect(all.statusCode).toBe(200);
    expect((await auditOf(server, wallet)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'wallet.lien.lift',
      before: { lien, amount: '8000' },
      after: null,
      reason: 'paid',
    });
  });
});

describe('409', () => {
  it('LIEN_LIFTED: exactly one of ten concurrent requests lifts it', async () => {
    const { wallet } = await fundedWallet(server, 100);
    const lien = await place(wallet, 80);
    const all = await Promise.all(Array.from({ length: 10 }, () => lift(wallet, lien)));
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(all.filter((answer) => answer.json().errorCode === 'LIEN_LIFTED')).toHaveLength(9);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('LIEN_OF_DISPUTE: what a dispute keeps is let go by its decision alone', async () => {
    const { id, wallet } = await newDispute(server);
    const { liens } = await walletNow(server, wallet);
    expect(liens).toMatchObject([{ amount: 300 }]);
    expect((await lift(wallet, liens[0].id)).json().errorCode).toBe('LIEN_OF_DISPUTE');
    expect((await walletNow(server, wallet)).blockedAmount).toBe(300);
    await decideDispute(server, id, 'WON');
    expect((await lift(wallet, liens[0].id)).json().errorCode).toBe('LIEN_OF_DISPUTE');
  });
});
