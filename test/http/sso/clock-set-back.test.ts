import { describe, expect, it } from 'vitest';
import { businessDay } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { A_DAY_AHEAD } from '../../support/past-months.ts';
import { type LoggedIn, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '50' });
const limit = async ({ headers }: Pick<LoggedIn, 'headers'>) => server.call('GET', '/v2/sso/wallet/limit', { headers });

describe('after the clock of the database was set back over midnight', () => {
  it('what was spent still counts, at every partner; and the statement and the day that have the entries are read', async () => {
    const [here, there] = [await server.newPartner({ float: 300_000 }), await server.newPartner({ float: 300_000 })];
    const [ada, bola] = [await loggedIn(server, here, 200_000), await loggedIn(server, here)];
    const elsewhere = await logInAt(server, there, ada);
    await pay(server, ada, { paytag: bola.paytag, amount: 150_000, reference: 't1' });
    await server.owner.query(A_DAY_AHEAD);

    expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 150_050, Remaining: 49_950 });
    // This wallet was never moved: its time is the clock's, and yet no earlier than what its customer has spent.
    await moveMoney(server, there, elsewhere.wallet, 'credit', { amount: 100_000, reference: 'back-in-time' });
    const over = await pay(server, elsewhere, { paytag: bola.paytag, amount: 49_901, reference: 't2' });
    expect([over.statusCode, over.json().errorCode]).toEqual([422, 'LIMIT_EXCEEDED']);
    const within = await pay(server, elsewhere, { paytag: bola.paytag, amount: 40_000, reference: 't3' });
    expect(within.statusCode).toBe(200);
    expect((await limit(ada)).json()).toEqual({ Limit: 200_000, Spent: 190_100, Remaining: 9_900 });

    const tomorrow = businessDay(new Date(Date.now() + 86_400_000));
    for (const query of ['', `&to=${tomorrow}`, `&from=${tomorrow}&to=${tomorrow}`]) {
      const url = `/v2/sso/transaction/statement?format=csv${query}`;
      const link = (await server.call('POST', url, { headers: ada.headers })).json<{ url: string }>().url;
      const { pathname, search } = new URL(link);
      expect((await server.call('GET', pathname + search)).body).toContain('150050.00');
    }
    const day = await server.call('GET', `/v2/partner/day/${tomorrow}`, { headers: here.headers });
    expect([day.statusCode, day.json()]).toEqual([200, expect.objectContaining({ Closed: false, Ties: true })]);
    expect((await server.operate('GET', `/partners/${here.id}/day/${tomorrow}`)).statusCode).toBe(200);
    expect((await server.operate('GET', `/ledger/trial-balance/${tomorrow}`)).statusCode).toBe(200);
    const after = businessDay(new Date(Date.now() + 2 * 86_400_000));
    expect((await server.call('GET', `/v2/partner/day/${after}`, { headers: here.headers })).statusCode).toBe(400);
    // That it is dated a day ahead is told, and nothing else is wrong.
    expect(await brokenInvariants(server)).toEqual(['nothing_is_dated_ahead']);
  });
});
