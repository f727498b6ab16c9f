import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants, leavesNothingBut } from '../../support/books.ts';
import { newReference, paymentsOf } from '../../support/payments.ts';
import { refusalOf } from '../../support/refusals.ts';
import { earn } from '../../support/suspense.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp();
const remit = (body: object) =>
  server.operate('POST', '/remittances', { account: 'FEE', reference: newReference(), reason: 'March', ...body });
const balanceOf = async (account: string): Promise<number> => {
  const { items } = (await server.operate('GET', '/accounts')).json();
  return items.find((one: { account: string; currency: string }) => one.account === account && one.currency === 'NGN')
    .balance;
};

describe('200', () => {
  it('takes it from the account to the bank’s clearing, once', async () => {
    await earn(server, 1_000n);
    const [fees, clearing] = [await balanceOf('FEE'), await balanceOf('CLEARING')];
    const body = { amount: 7.5, reference: 'march' };
    const answer = await remit(body);
    expect(answer.json()).toEqual({ account: 'FEE', amount: 7.5, currency: 'NGN', reference: 'march' });
    expect((await remit(body)).json()).toEqual(answer.json());
    expect([await balanceOf('FEE'), await balanceOf('CLEARING')]).toEqual([fees - 7.5, clearing + 7.5]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('never more than is there, also when many ask at once', async () => {
    await earn(server, 1_000n);
    const there = await balanceOf('FEE');
    const answers = await Promise.all(Array.from({ length: 8 }, () => remit({ amount: there / 2 })));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toHaveLength(6);
    for (const answer of refused) expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(await balanceOf('FEE')).toBe(0);
  });
});

describe('200: what a rail has paid to our bank', () => {
  const { gateway } = paymentsOf(server);

  it('goes from the bank’s clearing to the rail’s, once, and is audited', async () => {
    await gateway(await server.newPartner(), { amount: 100 });
    const [rail, bank] = [await balanceOf('CLEARING_GATEWAY'), await balanceOf('CLEARING')];
    const body = { account: 'CLEARING_GATEWAY', amount: 60, reference: 'payout-1' };
    const answer = await remit(body);
    expect([answer.statusCode, answer.json()]).toEqual([200, { ...body, currency: 'NGN' }]);
    expect((await remit(body)).json()).toEqual(answer.json());
    expect([await balanceOf('CLEARING_GATEWAY'), await balanceOf('CLEARING')]).toEqual([rail + 60, bank - 60]);
    expect(await auditOf(server, 'CLEARING_GATEWAY')).toEqual([
      {
        actor: 'operator:root',
        action: 'account.remit',
        before: { currency: 'NGN', balance: String(rail * 100) },
        after: { currency: 'NGN', balance: String(rail * 100 + 6_000), reference: 'payout-1' },
        reason: 'March',
      },
    ]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('so also of what a provider has collected', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    const { headers } = partner;
    const { AccountNumber: nuban } = (
      await server.call('POST', `/v2/partner/wallet/${wallet}/account`, { headers })
    ).json();
    const payload = { nuban, amount: 100, reference: newReference(), sender: { name: 'R' } };
    expect((await server.call('POST', '/v2/sandbox/payment/inbound', { headers, payload })).statusCode).toBe(200);
    expect((await remit({ account: 'CLEARING_COLLECTION', amount: 60 })).statusCode).toBe(200);
    expect(await balanceOf('CLEARING_COLLECTION')).toBe(-40);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('never more than it owes us, also when many ask at once; another rail owes nothing', async () => {
    await gateway(await server.newPartner(), { amount: 100 });
    const owed = -(await balanceOf('CLEARING_GATEWAY'));
    const payout = { account: 'CLEARING_GATEWAY', amount: owed / 2 };
    const answers = await Promise.all(Array.from({ length: 8 }, () => remit(payout)));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toHaveLength(6);
    refused.push(await remit({ account: 'CLEARING_TERMINAL', amount: 0.01 }));
    for (const answer of refused) expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect([await balanceOf('CLEARING_GATEWAY'), await balanceOf('CLEARING_TERMINAL')]).toEqual([0, 0]);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('200: what our bank has paid to the provider of payouts', () => {
  it('goes from the provider’s clearing to the bank’s, also in advance', async () => {
    const [provider, bank] = [await balanceOf('CLEARING_PAYOUT'), await balanceOf('CLEARING')];
    expect((await remit({ account: 'CLEARING_PAYOUT', amount: 500 })).statusCode).toBe(200);
    expect([await balanceOf('CLEARING_PAYOUT'), await balanceOf('CLEARING')]).toEqual([provider - 500, bank + 500]);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('422', () => {
  it('more than is there leaves nothing but the declined reference', async () => {
    const answer = await leavesNothingBut(server, 1, () => remit({ account: 'STAMP_DUTY', amount: 0.01 }));
    expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });
});
