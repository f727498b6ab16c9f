import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants } from '../../support/books.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const place = (wallet: string, body: object) => server.operate('POST', `/wallets/${wallet}/liens`, body);

describe('201', () => {
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
      {
        actor: 'operator:root',
        action: 'wallet.lien.place',
        before: null,
        after: { lien: answer.json().id, amount: '6050' },
        reason: 'court order 7',
      },
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
