import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { decideDispute, newDispute, walletNow } from '../../support/disputes.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { fundedWallet, kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();

describe('GET /wallets/{reference}/liens', () => {
  const ask = (wallet: string, query = '') => server.operate('GET', `/wallets/${wallet}/liens${query}`);

  it('liens with their reasons, the lifted ones too, newest first, in pages', async () => {
    const wallet = await kycWallet(server, await server.newPartner());
    const place = async (amount: number, reason: string) =>
      (await server.operate('POST', `/wallets/${wallet}/liens`, { amount, reason })).json<{ id: number }>();
    const [debt, court] = [await place(3, 'debt'), await place(5, 'court order 12')];
    await server.operate('POST', `/wallets/${wallet}/liens/${debt.id}/lift`, { reason: 'paid' });
    const first = (await ask(wallet, '?limit=1')).json();
    expect(first).toMatchObject({ items: [{ id: court.id, amount: 5, reason: 'court order 12' }], count: 2 });
    const rest = (await ask(wallet, `?limit=1&cursor=${first.nextCursor}`)).json();
    expect(rest.items).toMatchObject([{ id: debt.id, reason: 'debt', liftedAt: expect.any(String) }]);
    expect((await ask(wallet, '?format=csv')).body.trimEnd().split('\r\n')).toHaveLength(3);
  });
});

describe('POST /wallets/{reference}/liens', () => {
  const place = (wallet: string, body: object) => server.operate('POST', `/wallets/${wallet}/liens`, body);

  it('keeps the amount from being spent, and is audited with its reason', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const answer = await place(wallet, { amount: 60.5, reason: 'court order 7' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      amount: 60.5,
      reason: 'court order 7',
      createdAt: expect.any(String),
    });
    const over = await moveMoney(server, partner, wallet, 'debit', { amount: 39.51, reference: 'over' });
    expect(over.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    const fits = await moveMoney(server, partner, wallet, 'debit', { amount: 39.5, reference: 'fits' });
    expect(fits.statusCode).toBe(200);
    expect(await auditOf(server, wallet)).toEqual([
      byRoot('wallet.lien.place', { after: { lien: answer.json().id, amount: '6050' }, reason: 'court order 7' }),
    ]);
  });

  it('can be more than there is: what comes later is kept too', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await place(wallet, { amount: 150, reason: 'debt' });
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 100, reference: `more-${partner.id}` });
    await moveMoney(server, partner, wallet, 'credit', { amount: 60, reference: 'more' });
    const shown = await server.operate('GET', `/wallets/${wallet}`);
    expect(shown.json()).toMatchObject({ totalAmount: 160, blockedAmount: 150, availableAmount: 10 });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('POST /wallets/{reference}/liens/{id}/lift', () => {
  const place = async (wallet: string, amount: number): Promise<number> =>
    (await server.operate('POST', `/wallets/${wallet}/liens`, { amount, reason: 'debt' })).json().id;
  const lift = (wallet: string, lien: number | string, body: object = { reason: 'paid' }) =>
    server.operate('POST', `/wallets/${wallet}/liens/${lien}/lift`, body);

  it('lets the amount be spent again, and is audited with its reason', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const lien = await place(wallet, 80);
    const answer = await lift(wallet, lien);
    expect(answer.json()).toMatchObject({ id: lien, amount: 80, reason: 'debt', liftedAt: expect.any(String) });
    const all = await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'all' });
    expect(all.statusCode).toBe(200);
    expect((await auditOf(server, wallet)).at(-1)).toEqual(
      byRoot('wallet.lien.lift', { before: { lien, amount: '8000' }, reason: 'paid' }),
    );
  });

  it('409: LIEN_LIFTED: exactly one of ten concurrent requests lifts it', async () => {
    const { wallet } = await fundedWallet(server, 100);
    const lien = await place(wallet, 80);
    const all = await Promise.all(Array.from({ length: 10 }, () => lift(wallet, lien)));
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(all.filter((answer) => answer.json().errorCode === 'LIEN_LIFTED')).toHaveLength(9);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('409: LIEN_OF_DISPUTE: what a dispute keeps is let go by its decision alone', async () => {
    const { id, wallet } = await newDispute(server);
    const { liens } = await walletNow(server, wallet);
    expect(liens).toMatchObject([{ amount: 300 }]);
    expect((await lift(wallet, liens[0].id)).json().errorCode).toBe('LIEN_OF_DISPUTE');
    expect((await walletNow(server, wallet)).blockedAmount).toBe(300);
    await decideDispute(server, id, 'WON');
    expect((await lift(wallet, liens[0].id)).json().errorCode).toBe('LIEN_OF_DISPUTE');
  });
});
