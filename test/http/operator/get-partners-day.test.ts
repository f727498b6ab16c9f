import { describe, expect, it } from 'vitest';
import { addUpDays } from '../../../src/modules/books/index.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { paymentsOf } from '../../support/payments.ts';
import { kycWallet, loggedIn, moveMoney, pay } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_STAMP_DUTY: '1', FEE_PARTNER_GATEWAY: '1%' });
const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
const addUp = () => addUpDays(server.resources, { graceS: 0, everyS: 0 });
const dayOf = async ({ id }: TestPartner, day = today) =>
  (await server.operate('GET', `/partners/${id}/day/${day}`)).json<{
    closed: boolean;
    ties: boolean;
    differences: object[];
    items: Record<string, unknown>[];
  }>();
const naira = (items: Record<string, unknown>[]) =>
  items.filter(({ currency, movements }) => currency === 'NGN' && movements !== 0);

/** Funds, credits, debits, a payment and a transfer to another partner's customer, with a part of it added up already. */
async function busyPartner() {
  const partner = await server.newPartner({ float: 1_000 });
  const other = await server.newPartner({ float: 1_000 });
  const wallet = await kycWallet(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: 300, reference: 'in' });
  await addUp();
  await moveMoney(server, partner, wallet, 'debit', { amount: 40.5, reference: 'out' });
  await paymentsOf(server).gateway(partner, { amount: 200 });
  const [payer, payee] = [await loggedIn(server, partner, 100), await loggedIn(server, other)];
  await pay(server, payer, { paytag: payee.paytag, amount: 50, reference: 'rent' });
  return { partner, other };
}

describe('200', () => {
  it('opens with nothing, shows what moved by type and what was charged, and ties to the kobo', async () => {
    const { partner, other } = await busyPartner();
    const expected = async () => {
      const { closed, ties, differences, items } = await dayOf(partner);
      expect([closed, ties, differences]).toEqual([false, true, []]);
      const float = { account: 'FLOAT', currency: 'NGN' };
      const wallet = { account: 'WALLET', currency: 'NGN' };
      expect(naira(items)).toEqual([
        { ...float, opening: 0, in: 1_238.5, out: 400, movements: 5, closing: 838.5 },
        { ...float, type: 'FLOAT_FUNDING', in: 1_000, out: 0, movements: 1 },
        { ...float, type: 'PARTNER_GATEWAY', in: 198, out: 0, movements: 1 },
        { ...float, type: 'PARTNER_WALLET_CREDIT', in: 0, out: 400, movements: 2 },
        { ...float, type: 'PARTNER_WALLET_DEBIT', in: 40.5, out: 0, movements: 1 },
        { ...wallet, opening: 0, in: 400, out: 100.5, movements: 4, closing: 299.5 },
        { ...wallet, type: 'PARTNER_WALLET_CREDIT', in: 400, out: 0, movements: 2 },
        { ...wallet, type: 'PARTNER_WALLET_DEBIT', in: 0, out: 40.5, movements: 1 },
        { ...wallet, type: 'TRANSFER', in: 0, out: 60, movements: 1 },
        { account: 'FEE', currency: 'NGN', in: 12, out: 0, movements: 2 },
        { account: 'STAMP_DUTY', currency: 'NGN', in: 1, out: 0, movements: 1 },
      ]);
    };
    await expected();
    await addUp();
    await expected();
    const received = naira((await dayOf(other)).items).filter(({ type }) => type === 'TRANSFER');
    expect(received).toEqual([{ account: 'WALLET', currency: 'NGN', type: 'TRANSFER', in: 49, out: 0, movements: 1 }]);
  });

  it('a day before anything was moved is empty, closed, and ties', async () => {
    const { partner } = await busyPartner();
    const { closed, ties, items } = await dayOf(partner, '2026-01-31');
    expect([closed, ties]).toEqual([true, true]);
    expect(items.map(({ closing = 0 }) => closing)).toEqual(items.map(() => 0));
  });

  it('names what does not tie, and by how much', async () => {
    const { partner } = await busyPartner();
    await addUp();
    await server.owner.query(
      `update books.partner_day_total set credits = credits + 250
        where partner_id = $1 and kind = 'WALLET' and type = 'PARTNER_WALLET_CREDIT'`,
      [partner.id],
    );
    const { ties, differences } = await dayOf(partner);
    expect([ties, differences]).toEqual([false, [{ account: 'WALLET', currency: 'NGN', difference: -2.5 }]]);
  });

  it('is a file of its lines; the partner reads the same of itself, and of nobody else', async () => {
    const { partner, other } = await busyPartner();
    const file = await server.operate('GET', `/partners/${partner.id}/day/${today}?format=csv`);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffaccount,currency,type,opening,in,out,movements,closing',
      'FLOAT,NGN,,0,1238.5,400,5,838.5',
    ]);
    const own = (of: TestPartner, format = 'json') =>
      server.call('GET', `/v2/partner/day/${today}?format=${format}`, { headers: of.headers });
    const answer = await own(partner);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ Date: today, Closed: false, Ties: true });
    expect(answer.json().items[0]).toEqual({
      Account: 'FLOAT',
      Currency: 'NGN',
      OpeningBalance: 0,
      In: 1_238.5,
      Out: 400,
      Movements: 5,
      ClosingBalance: 838.5,
    });
    expect((await own(partner, 'csv')).body).toContain('FLOAT,NGN,,0,1238.5,400,5,838.5\r\n');
    expect((await own(other)).json().items[0].ClosingBalance).toBe(1_000);
    expect((await server.call('GET', '/v2/partner/day/2999-01-01', { headers: partner.headers })).statusCode).toBe(400);
  });
});
