import { claimDeliveries, recordAttempts } from '#modules/webhooks';
import type { TestApp, TestPartner } from './app.ts';
import { kycWallet, moveMoney } from './wallets.ts';

type Pool = Parameters<typeof claimDeliveries>[0];

/** Claims what is due, at most `limit`, and records that each ended so: with an error FAILED, without one DELIVERED. */
export async function endAll(pool: Pool, error: string | null, limit = 5_000): Promise<number> {
  const { claimed } = await claimDeliveries(pool, {
    limit,
    perReceiver: 5_000,
    inFlight: new Map(),
    leaseMs: 30_000,
  });
  const status = error === null ? ('DELIVERED' as const) : ('FAILED' as const);
  const ended = {
    status,
    error,
    retryInMs: null,
    statusCode: error === null ? 200 : 503,
    durationMs: 1,
    response: null,
  };
  await recordAttempts(
    pool,
    claimed.map(({ deliveryId, number }) => ({ deliveryId, number, ...ended })),
  );
  return claimed.length;
}

/** A partner with a webhook URL nobody answers at, whose wallet has moved twice: two events, two pending deliveries. */
export async function partnerWithEvents(server: TestApp): Promise<{ partner: TestPartner; wallet: string }> {
  const partner = await server.newPartner({ float: 100, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const wallet = await kycWallet(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: 5, reference: 'credit' });
  await moveMoney(server, partner, wallet, 'debit', { amount: 5, reference: 'debit' });
  return { partner, wallet };
}
