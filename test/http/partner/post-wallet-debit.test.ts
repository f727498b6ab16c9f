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

describe('409', () => {
  it('a reference that a credit used already', async () => {
    const { partner, wallet } = await funded(500);
    const answer = await debit(partner, wallet, { amount: 500, reference: 'opening' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().errorCode).toBe('REFERENCE_REUSED');
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

  it.each([
    ['Blocked', 'WALLET_BLOCKED'],
    ['PND', 'WALLET_PND'],
  ])('a wallet in status %s', async (status, errorCode) => {
    const { partner, wallet } = await funded(500);
    await server.owner.query('update ledger.account set status = $1 where reference = $2', [status, wallet]);
    const answer = await debit(partner, wallet, { amount: 1, reference: 'r' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errorCode).toBe(errorCode);
  });
});

describe('400', () => {
  it.each([
    ['three decimals', '10.005'],
    ['zero', '0'],
    ['a negative number', '-5'],
    ['a string', '"100"'],
    ['more than a number can be', '1e400'],
    ['an unsafe integer', '9007199254740993'],
    ['null', 'null'],
  ])('an amount that is %s', async (_what, amount) => {
    const partner = await server.newPartner({ float: 1000 });
    const wallet = await walletOf(partner);
    const answer = await debit(partner, wallet, `{"amount":${amount},"reference":"r1"}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([expect.stringMatching(/^amount: must be a JSON number above 0/)]);
    expect(await entries(wallet)).toBe(0);
  });

  it.each([
    ['no reference', { amount: 1 }, 'reference'],
    ['an empty reference', { amount: 1, reference: '' }, 'reference'],
    ['a reference with a space', { amount: 1, reference: 'a b' }, 'reference'],
    ['a reference that is too long', { amount: 1, reference: 'x'.repeat(101) }, 'reference'],
    ['metadata that is a list', { amount: 1, reference: 'r', metadata: [] }, 'metadata'],
    ['metadata that is too long', { amount: 1, reference: 'r', metadata: { long: 'x'.repeat(4096) } }, 'metadata'],
  ])('%s', async (_what, payload, field) => {
    const partner = await server.newPartner();
    const answer = await debit(partner, await walletOf(partner), payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatch(new RegExp(`^${field}: `));
  });
});

describe('404', () => {
  it('a wallet of another partner is as unknown as one that does not exist', async () => {
    const [one, two] = [await server.newPartner({ float: 1000 }), await server.newPartner({ float: 1000 })];
    const theirs = await walletOf(one);
    for (const wallet of [theirs, 'PW-nobody']) {
      const answer = await debit(two, wallet, { amount: 1, reference: 'r1' });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().errorCode).toBe('WALLET_NOT_FOUND');
    }
    expect(await entries(theirs)).toBe(0);
  });
});
