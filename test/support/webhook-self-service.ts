import type { Answer, TestApp, TestPartner } from './app.ts';
import { endAll, partnerWithEvents } from './deliveries.ts';

/** A webhook URL nobody answers at. */
export const TARGET = 'http://127.0.0.1:9/hooks';
/** An id that nothing has. */
export const NOBODY = '00000000-0000-7000-8000-000000000000';

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
