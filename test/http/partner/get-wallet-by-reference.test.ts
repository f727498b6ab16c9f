import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { changeWallet, fundedWallet, kycWallet } from '../../support/wallets.ts';

const server = useSharedApp();
const get = (headers: Record<string, string>, reference: string) =>
  server.call('GET', `/v2/partner/wallet/${reference}`, { headers });

it('200: the PartnerWallet with the five amounts and the status as they are now', async () => {
  const { partner, wallet } = await fundedWallet(server, 500);
  await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 120.5, reason: 'court order' });
  await changeWallet(server, wallet, { status: 'PND' });
  const answer = await get(partner.headers, wallet);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.json()).toMatchObject({
    Reference: wallet,
    RevokedAt: null,
    KycProfile: { Name: 'Chidi Okafor' },
    Wallet: {
      TotalAmount: 500,
      SuspendedAmount: 0,
      BlockedAmount: 120.5,
      AvailableAmount: 379.5,
      Amount: 500,
      Status: 'PND',
      Currency: 'NGN',
    },
  });
});

it('404: a wallet of another partner is as unknown as one that does not exist', async () => {
  const [one, two] = [await server.newPartner(), await server.newPartner()];
  for (const reference of [await kycWallet(server, one), 'PW-nobody']) {
    const answer = await get(two.headers, reference);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().errorCode).toBe('WALLET_NOT_FOUND');
  }
});

it('400: a reference that cannot be one', async () => {
  const { headers } = await server.newPartner();
  for (const reference of ['%00', '%20', 'x'.repeat(101)]) {
    expect((await get(headers, reference)).json().errorCode).toBe('INVALID_PARAMETER');
  }
});
