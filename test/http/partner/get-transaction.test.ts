import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { fundedWallet, loggedIn, moveMoney, pay } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_STAMP_DUTY: '5', FEE_PARTNER_WALLET_DEBIT: '1%' });

const get = (headers: Record<string, string>, reference: string) =>
  server.call('GET', `/v2/partner/transaction/${encodeURIComponent(reference)}`, { headers });

describe('200', () => {
  it('a transaction by the reference the partner gave it, as it was answered then', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    const payload = { amount: 100, reference: 'order/1?é'.replace('é', 'e'), comment: 'Lunch', metadata: { table: 4 } };
    const debited = await moveMoney(server, partner, wallet, 'debit', payload);
    const answer = await get(partner.headers, payload.reference);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual(debited.json());
    expect(answer.json()).not.toHaveProperty('FailureReason');
    expect(answer.json()).toMatchObject({ Fee: 0, Net: 99, OpeningBalance: 500, ClosingBalance: 400 });
  });

  it('a declined one is Failed with its reason, and was never completed', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    await moveMoney(server, partner, wallet, 'debit', { amount: 11, reference: 'over' });
    const { body } = await get(partner.headers, 'over');
    expect(JSON.parse(body)).toMatchObject({ Status: 'Failed', Amount: 11, FailureReason: 'INSUFFICIENT_FUNDS' });
    expect(body).not.toMatch(/CompletedAt|Balance/);
  });

  it('a transfer by our reference: the sender’s partner sees what was paid, the receiver’s only what arrived', async () => {
    const [here, there] = [await server.newPartner({ float: 1000 }), await server.newPartner()];
    const [ada, bola] = [await loggedIn(server, here, 500), await loggedIn(server, there)];
    const sent = await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'rent', comment: 'May' });
    const { Reference } = sent.json<{ Reference: string }>();
    expect((await get(here.headers, Reference)).json()).toMatchObject({
      Type: 'TRANSFER',
      Amount: 100,
      Fee: 10,
      Net: 95,
      ExternalReference: 'rent',
      OpeningBalance: 500,
      ClosingBalance: 390,
    });
    expect((await get(there.headers, Reference)).json()).toMatchObject({
      Amount: 100,
      Fee: 0,
      Net: 95,
      OpeningBalance: 0,
      ClosingBalance: 95,
    });
    expect((await get(here.headers, 'rent')).statusCode).toBe(404);
  });
});

describe('404', () => {
  it('one that is unknown, another partner’s, or moved no wallet of this partner', async () => {
    const [{ partner }, stranger] = [await fundedWallet(server, 100), await server.newPartner({ float: 5 })];
    const [ada, bola] = [await loggedIn(server, partner), await loggedIn(server, partner)];
    const declined = await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'declined' });
    expect(declined.statusCode).toBe(422);
    for (const reference of ['opening', 'nothing', 'declined', `opening-${stranger.id}`]) {
      const answer = await get(stranger.headers, reference);
      expect(answer.statusCode).toBe(404);
      expect(answer.json().errorCode).toBe('TRANSACTION_NOT_FOUND');
    }
  });
});
