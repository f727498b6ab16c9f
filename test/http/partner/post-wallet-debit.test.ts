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

const debit = (partner: TestPartner, wallet: string, payload: object | string) =>
  server.call('POST', `/v2/partner/wallet/${wallet}/debit`, {
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

async function funded(naira: number): Promise<{ partner: TestPartner; wallet: string }> {
  const partner = await server.newPartner({ float: naira });
  const wallet = await walletOf(partner);
  const credited = await server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
    headers: partner.headers,
    payload: { amount: naira, reference: 'opening' },
  });
  expect(credited.statusCode).toBe(200);
  return { partner, wallet };
}

describe('200', () => {
  it('moves money back into the float and says the balances around it', async () => {
    const { partner, wallet } = await funded(500);
    const answer = await debit(partner, wallet, { amount: 199.99, reference: 'out' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      Type: 'PARTNER_WALLET_DEBIT',
      Amount: 199.99,
      Net: 199.99,
      Status: 'Successful',
      OpeningBalance: 500,
      ClosingBalance: 300.01,
    });
    const back = await server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
      headers: partner.headers,
      payload: { amount: 199.99, reference: 'the-float-has-it-again' },
    });
    expect(back.statusCode).toBe(200);
  });
});

describe('422', () => {
  it('more than the wallet holds, and no entry is written; the reference stays refused', async () => {
    const { partner, wallet } = await funded(500);
    for (let turn = 0; turn < 2; turn++) {
      const answer = await debit(partner, wallet, { amount: 500.01, reference: 'over' });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    }
    expect(await entries(wallet)).toBe(1);
  });
});
