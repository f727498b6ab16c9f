import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { changeWallet, fundedWallet } from '../../support/wallets.ts';

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
