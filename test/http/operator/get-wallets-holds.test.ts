import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { kycWallet } from '../../support/wallets.ts';

const server = useSharedApp();
const ask = (wallet: string, query = '') => server.operate('GET', `/wallets/${wallet}/holds${query}`);

describe('200', () => {
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
