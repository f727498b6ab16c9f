import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { kycWallet } from '../../support/wallets.ts';

const server = useSharedApp();
const ask = (wallet: string, query = '') => server.operate('GET', `/wallets/${wallet}/liens${query}`);

describe('200', () => {
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
