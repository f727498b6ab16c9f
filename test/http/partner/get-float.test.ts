import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_WALLET_DEBIT: '1.25' });

it('200: the partner’s current float in each currency', async () => {
  const { partner, wallet } = await fundedWallet(server, 500);
  await server.operate('POST', `/partners/${partner.id}/float`, { amount: 7.5, currency: 'FP', reference: 'points' });
  await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'back' });
  const answer = await server.call('GET', '/v2/partner/float', { headers: partner.headers });
  expect(answer.statusCode).toBe(200);
  const rest = { SuspendedAmount: 0, BlockedAmount: 0 };
  expect(answer.json()).toEqual({
    items: [
      { Currency: 'NGN', Balance: 98.75, TotalAmount: 98.75, AvailableAmount: 98.75, ...rest },
      { Currency: 'FP', Balance: 7.5, TotalAmount: 7.5, AvailableAmount: 7.5, ...rest },
    ],
  });
});
