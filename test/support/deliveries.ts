import type { Pool } from 'pg';
import { expect } from 'vitest';
import { claimDeliveries, recordAttempts } from '#modules/webhooks';
import type { Answer, TestApp, TestPartner } from './app.ts';
import type { Received } from './receiver.ts';
import { kycWallet, moveMoney } from './wallets.ts';

type WorkersPool = Parameters<typeof claimDeliveries>[0];

/** Claims what is due, at most `limit`, and records that each ended so: with an error FAILED, without one DELIVERED. */
export async function endAll(pool: WorkersPool, error: string | null, limit = 5_000): Promise<number> {
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

/** Of the endpoints of a partner, by its own credentials. */
export const callEndpoints = (
  server: TestApp,
  { headers }: Pick<TestPartner, 'headers'>,
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST',
  path = '',
  payload?: object,
): Promise<Answer> =>
  server.call(method, `/v2/partner/webhook/endpoints${path}`, { headers, ...(payload && { payload }) });

/** Another endpoint of a partner; nobody answers there unless a URL is given. */
export async function newEndpoint(
  server: TestApp,
  partner: Pick<TestPartner, 'headers'>,
  chosen: object = {},
): Promise<string> {
  const answer = await callEndpoints(server, partner, 'POST', '', { url: 'http://127.0.0.1:9/other', ...chosen });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ id: string }>().id;
}

/** A webhook URL nobody answers at. */
export const TARGET = 'http://127.0.0.1:9/hooks';

/** Where a partner's events go, as it is told. */
export const seeWebhook = (server: TestApp, { headers }: TestPartner): Promise<Answer> =>
  server.call('GET', '/v2/partner/webhook', { headers });

/** A partner's deliveries, as it is told of them; `path` is a query, or an id behind a slash. */
export const seeDeliveries = (server: TestApp, { headers }: TestPartner, path = ''): Promise<Answer> =>
  server.call('GET', `/v2/partner/webhook/deliveries${path}`, { headers });

/** Two partners whose two events each have failed. */
export async function partnersWithFailures(
  server: TestApp,
): Promise<{ partner: TestPartner; wallet: string; other: TestPartner }> {
  const { partner, wallet } = await partnerWithEvents(server);
  const { partner: other } = await partnerWithEvents(server);
  await endAll(server.resources.pool, 'status 500');
  return { partner, wallet, other };
}

/** Writes an event of each wallet, at this place of its history, as a posting does. */
export const moveWallets = (pool: Pool, ownerId: string, wallets: readonly string[], place: number) =>
  pool.query(
    `select outbox.emit_all(array_agg(row(null, $1::uuid, 'wallet.credited', w, null, format('{"event":"wallet.credited","reference":"%s","data":{"Place":%s}}', w, $3::int), $3, now(), null)::outbox.event))
       from unnest($2::text[]) w`,
    [ownerId, wallets, place],
  );

/** What such an event tells: of which wallet, and which place of its history. */
export function placeIn({ body }: Received): { wallet: string; place: number } {
  const { reference, data } = JSON.parse(body.toString());
  return { wallet: String(reference), place: Number(data.Place) };
}
