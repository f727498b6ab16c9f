import type { TestApp, TestPartner } from './app.ts';
import { kycWallet, moveMoney } from './wallets.ts';

/** A partner that is told of `events` movements of a wallet: as many pending deliveries. */
export async function partnerWithDeliveries(
  server: TestApp,
  events: number,
  webhookUrl = 'http://127.0.0.1:9/hooks',
): Promise<TestPartner & { wallet: string }> {
  const partner = await server.newPartner({ float: 100, webhookUrl });
  const wallet = await kycWallet(server, partner);
  for (let number = 1; number <= events; number += 1) {
    await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `event-${number}` });
  }
  return { ...partner, wallet };
}
