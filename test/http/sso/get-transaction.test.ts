import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type LoggedIn, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_PARTNER_WALLET_CREDIT: '3' });
const history = (headers: Record<string, string>, query = '') =>
  server.call('GET', `/v2/sso/transaction${query}`, { headers });

describe('200', () => {
  it('the movements of the wallet at this partner, newest first, with the customer’s own fees only', async () => {
    const partner = await server.newPartner({ float: 1_000 });
    const [ada, bola] = [await loggedIn(server, partner, 500), await loggedIn(server, partner)];
    await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'rent' });
    await moveMoney(server, partner, bola.wallet, 'debit', { amount: 30, reference: 'fare' });

    const hers = await history(ada.headers);
    expect(hers.statusCode).toBe(200);
    expect(hers.headers['cache-control']).toBe('no-store');
    expect(hers.json()).toMatchObject({
      items: [
        { Type: 'TRANSFER', Amount: 100, Fee: 10, ExternalReference: 'rent', OpeningBalance: 500, ClosingBalance: 390 },
        { Type: 'PARTNER_WALLET_CREDIT', Amount: 500, Fee: 0, OpeningBalance: 0, ClosingBalance: 500 },
      ],
      count: 2,
      limit: 20,
      offset: 0,
    });
    expect((await history(bola.headers)).json().items).toMatchObject([
      { Type: 'PARTNER_WALLET_DEBIT', OpeningBalance: 100, ClosingBalance: 70 },
      { Type: 'TRANSFER', Amount: 100, Fee: 0, OpeningBalance: 0, ClosingBalance: 100 },
    ]);
    expect((await history(ada.headers, '?limit=1&offset=1')).json()).toMatchObject({
      items: [{ Type: 'PARTNER_WALLET_CREDIT' }],
      count: 2,
    });
  });

  it('by the customer’s own reference: that transfer alone, as it was answered, or none', async () => {
    const [partner, elsewhere] = [await server.newPartner({ float: 1_000 }), await server.newPartner()];
    const [ada, bola] = [await loggedIn(server, partner, 500), await loggedIn(server, partner)];
    const sent = await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'rent' });
    await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'other' });
    const found = async (who: LoggedIn, query: string) => (await history(who.headers, query)).json();
    expect(await found(ada, '?reference=rent')).toEqual({ items: [sent.json()], count: 1, limit: 20, offset: 0 });
    expect(await found(ada, '?reference=rent&offset=1')).toMatchObject({ items: [], count: 1, offset: 1 });
    const none = { items: [], count: 0, limit: 20, offset: 0 };
    expect(await found(ada, '?reference=nothing')).toEqual(none);
    expect(await found(bola, '?reference=rent')).toEqual(none);
    expect(await found(await logInAt(server, elsewhere, ada), '?reference=rent')).toEqual(none);
  });

  it('a declined one by its reference, with the reason; the history does not have it', async () => {
    const partner = await server.newPartner();
    const [ada, bola] = [await loggedIn(server, partner), await loggedIn(server, partner)];
    await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'too-much' });
    const { items } = (await history(ada.headers, '?reference=too-much')).json<{ items: object[] }>();
    expect(items).toMatchObject([
      { Status: 'Failed', FailureReason: 'INSUFFICIENT_FUNDS', Amount: 100, Fee: 10, ExternalReference: 'too-much' },
    ]);
    expect(JSON.stringify(items)).not.toMatch(/Balance|CompletedAt/);
    expect((await history(ada.headers)).json()).toMatchObject({ items: [], count: 0 });
  });
});
