import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { fundedWallet, loggedIn } from '../../support/wallets.ts';

const server = useSharedApp();

describe('200', () => {
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
