import { describe, expect, it } from 'vitest';
import { assignAccount } from '#modules/inbound-accounts';
import type { InboundProvider } from '../../../src/providers/inbound/port.ts';
import { useApp } from '../../support/app.ts';
import { newReference, newWallet } from '../../support/payments.ts';

const server = useApp();

describe('an account number of the simulator', () => {
  it('is the same each time, and takes the sandbox’s transfers once', async () => {
    const partner = await server.newPartner();
    const { reference: walletReference } = await newWallet(server, partner);
    const url = `/v2/partner/wallet/${walletReference}/account`;
    const { headers } = partner;
    const account = (await server.call('POST', url, { headers })).json();
    expect(account).toMatchObject({ AccountNumber: expect.stringMatching(/^9\d{9}$/), Provider: 'simulator' });
    expect((await server.call('POST', url, { headers })).json()).toEqual(account);

    const payload = {
      nuban: account.AccountNumber,
      amount: 75.5,
      reference: newReference(),
      sender: { name: 'Bola Ade' },
    };
    const pay = (given: object = {}) =>
      server.call('POST', '/v2/sandbox/payment/inbound', { headers, payload: { ...payload, ...given } });
    const paid = await pay();
    expect([paid.statusCode, paid.json()]).toMatchObject([
      200,
      { Type: 'INBOUND', Amount: 75.5, Status: 'Successful' },
    ]);
    expect((await pay()).json()).toEqual(paid.json());
    expect((await pay({ amount: 1 })).json().errorCode).toBe('REFERENCE_REUSED');
    const wallet = await server.call('GET', `/v2/partner/wallet/${walletReference}`, { headers });
    expect(wallet.json().Wallet.TotalAmount).toBe(75.5);
    expect((await server.operate('GET', '/ledger/check')).json().ok).toBe(true);
  });

  it('is given to wallets in naira alone', async () => {
    const { headers } = await server.newPartner();
    const kyc = { firstName: 'Ada', lastName: 'Obi' };
    const made = await server.call('POST', '/v2/partner/wallet', {
      headers,
      payload: { kyc, profileId: 1, currency: 'FP' },
    });
    const answer = await server.call('POST', `/v2/partner/wallet/${made.json().Reference}/account`, { headers });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([422, 'CURRENCY_MISMATCH']);
  });
});

describe('a provider that answers the number of another wallet', () => {
  it('is refused, each time that it is asked, and gives neither wallet what is the other’s', async () => {
    const partner = await server.newPartner();
    const [first, second] = [await newWallet(server, partner), await newWallet(server, partner)];
    const inboundProvider: InboundProvider = {
      name: 'simulator',
      assign: async () => ({ accountNumber: '9999999990', bankName: 'Bank', bankCode: '999', accountName: 'ADA' }),
    };
    const assign = ({ reference: walletReference }: { reference: string }) =>
      assignAccount({ ...server.resources, inboundProvider }, { partnerId: partner.id, walletReference });
    await assign(first);
    for (const _time of [1, 2])
      await expect(assign(second)).rejects.toMatchObject({ code: 'INBOUND_PROVIDER_UNAVAILABLE' });
    expect(server.logged).toContain('a provider gave a wallet the account number of another');
    const url = `/v2/partner/wallet/${second.reference}/account`;
    const { headers } = partner;
    expect((await server.call('GET', url, { headers })).json()).toMatchObject({ items: [] });
    expect((await server.call('POST', url, { headers })).statusCode).toBe(200);
  });
});

describe('without a provider', () => {
  const without = useApp({ INBOUND_PROVIDER: 'none' }, server);

  it('there are no account numbers: 503', async () => {
    const partner = await without.newPartner();
    const { reference: walletReference } = await newWallet(without, partner);
    const answer = await without.call('POST', `/v2/partner/wallet/${walletReference}/account`, {
      headers: partner.headers,
    });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([503, 'PROVIDER_NOT_CONFIGURED']);
  });
});
