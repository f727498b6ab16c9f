import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';

const server = useApp();

async function walletOf(partner: TestPartner): Promise<string> {
  const opened = await server.call('POST', '/v2/partner/wallet', {
    headers: partner.headers,
    payload: { kyc: { firstName: 'Chidi', lastName: 'Okafor' } },
  });
  return opened.json().Reference;
}

const credit = (partner: TestPartner, wallet: string, payload: object | string) =>
  server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
    headers: { ...partner.headers, 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

const entries = async (wallet: string): Promise<number> => {
  const { rows } = await server.owner.query(
    'select count(*)::int as n from ledger.entry e join ledger.account a on a.id = e.account_id where a.reference = $1',
    [wallet],
  );
  return rows[0].n;
};

describe('200', () => {
  it('moves money from the float and says the balances around it', async () => {
    const partner = await server.newPartner({ float: 5000 });
    const wallet = await walletOf(partner);
    await credit(partner, wallet, { amount: 1000, reference: 'first' });
    const answer = await credit(partner, wallet, {
      amount: 250.5,
      reference: 'second',
      externalReference: 'order-9',
      comment: 'Refill',
      metadata: { shop: 'Yaba', till: 3 },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      Type: 'PARTNER_WALLET_CREDIT',
      Amount: 250.5,
      Fee: 0,
      Commission: 0,
      Net: 250.5,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: 'second',
      ExternalReference: 'order-9',
      Comment: 'Refill',
      OpeningBalance: 1000,
      ClosingBalance: 1250.5,
      CreatedAt: expect.any(String),
      CompletedAt: expect.any(String),
      Metadata: { shop: 'Yaba', till: 3 },
    });
  });

  it('answers a repeated reference as it did, and moves money once', async () => {
    const partner = await server.newPartner({ float: 5000 });
    const wallet = await walletOf(partner);
    const first = await credit(partner, wallet, { amount: 10, reference: 'same' });
    const second = await credit(partner, wallet, { amount: 10, reference: 'same' });
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual(first.json());
    expect(await entries(wallet)).toBe(1);
  });
});

describe('422', () => {
  it('more than the float holds, and nothing is written but the refused reference', async () => {
    const partner = await server.newPartner({ float: 100 });
    const wallet = await walletOf(partner);
    const answer = await credit(partner, wallet, { amount: 100.01, reference: 'over' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    expect(await entries(wallet)).toBe(0);
    expect((await credit(partner, wallet, { amount: 100, reference: 'exactly' })).statusCode).toBe(200);
  });
});
