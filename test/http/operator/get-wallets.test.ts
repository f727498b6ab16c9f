import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newWallet } from '../../support/payments.ts';
import { fundedWallet, loggedIn, logInAt } from '../../support/wallets.ts';

const server = useApp();
const find = (query: string) => server.operate('GET', `/wallets?${query}`);
const referencesIn = async (query: string): Promise<string[]> =>
  (await find(query)).json<{ items: { reference: string }[] }>().items.map(({ reference }) => reference);

describe('200', () => {
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
