import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp();

it('200: the wallet of whichever partner, with the liens in force', async () => {
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

it('404: a wallet nobody has', async () => {
  const answer = await server.operate('GET', '/wallets/PW-nobody');
  expect(answer.statusCode).toBe(404);
  expect(answer.json().errorCode).toBe('WALLET_NOT_FOUND');
});
