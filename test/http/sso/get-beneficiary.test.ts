import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { type LoggedIn, loggedIn, logInAt, pay } from '../../support/wallets.ts';

const server = useSharedApp();
const beneficiariesOf = ({ headers }: LoggedIn, query = '') =>
  server.call('GET', `/v2/sso/beneficiary${query}`, { headers });
const transfer = (from: LoggedIn, to: LoggedIn, reference: string) =>
  pay(server, from, { paytag: to.paytag, amount: 1, reference });
const paytagsOf = async (customer: LoggedIn, query = '') =>
  (await beneficiariesOf(customer, query)).json<{ items: { paytag: string }[] }>().items.map(({ paytag }) => paytag);

describe('200', () => {
  it('lists whom the customer has paid, those paid last first, each once', async () => {
    const partner = await server.newPartner({ float: 1000 });
    const ada = await loggedIn(server, partner, 100);
    const [bola, chidi] = [await loggedIn(server, partner), await loggedIn(server, partner)];
    expect((await beneficiariesOf(ada)).json()).toEqual({ items: [], count: 0, limit: 20, offset: 0 });
    for (const [payee, reference] of [
      [bola, 'a'],
      [chidi, 'b'],
      [bola, 'c'],
    ] as const) {
      expect((await transfer(ada, payee, reference)).statusCode).toBe(200);
    }
    const answer = await beneficiariesOf(ada);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      items: [
        { paytag: bola.paytag, name: 'Ada Obi', lastPaidAt: expect.any(String) },
        { paytag: chidi.paytag, name: 'Ada Obi', lastPaidAt: expect.any(String) },
      ],
      count: 2,
      limit: 20,
      offset: 0,
    });
    expect(await paytagsOf(ada, '?limit=1&offset=1')).toEqual([chidi.paytag]);
    expect(await paytagsOf(bola)).toEqual([]);
  });

  it('shows no partner the beneficiaries of another', async () => {
    const [home, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, home, 10);
    const bola = await loggedIn(server, home);
    await transfer(ada, bola, 'a');
    expect(await paytagsOf(await logInAt(server, other, ada))).toEqual([]);
    expect(await paytagsOf(ada)).toEqual([bola.paytag]);
  });

  it('does not list the receiver of a refused transfer', async () => {
    const partner = await server.newPartner();
    const [poor, bola] = [await loggedIn(server, partner), await loggedIn(server, partner)];
    expect((await transfer(poor, bola, 'a')).statusCode).toBe(422);
    expect(await paytagsOf(poor)).toEqual([]);
  });
});
