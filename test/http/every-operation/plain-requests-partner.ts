import { newEndpoint, partnerWithEvents } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import { newCustomer, newPerson } from '../../support/onboarding.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { moveMoney } from '../../support/wallets.ts';
import type { GoodRequestsOf } from './good-requests.ts';

/** Of the operations of the partner API that take nothing but what stands in their path, and of those that change
 * something once. */
export const plainRequestsOfPartners: GoodRequestsOf = async (server) => {
  const { partner, wallet } = await partnerWithEvents(server);
  const { headers } = partner;
  const serial = await newTerminal(server, partner);
  const terminal = { ...headers, 'x-terminal': serial };
  const split = () => newSplit(server, serial, 10);
  const first = await split();
  const { items } = (await server.call('GET', '/v2/partner/webhook/deliveries', { headers })).json<{
    items: { id: string }[];
  }>();
  const delivery = items[0]?.id;
  const endpoint = await newEndpoint(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'read' });

  const { id: dispute, partner: disputed } = await newDispute(server);

  const plain = (url: string) => () => ({ url, headers });
  /** An endpoint of a partner of its own: each may have ten. */
  const another = async () => {
    const owner = await server.newPartner();
    return { url: `/v2/partner/webhook/endpoints/${await newEndpoint(server, owner)}`, headers: owner.headers };
  };
  return {
    'POST /v2/partner/paytag/bvn/{bvn}': async () => {
      const elsewhere = await server.newPartner();
      const { bvn } = await newCustomer(server, elsewhere, newPerson());
      return { url: `/v2/partner/paytag/bvn/${bvn}`, headers };
    },
    'GET /v2/partner/terminal/split/{split}': () => ({
      url: `/v2/partner/terminal/split/${first}`,
      headers: terminal,
    }),
    'POST /v2/partner/terminal/split/{split}/cancel': async () => ({
      url: `/v2/partner/terminal/split/${await split()}/cancel`,
      headers: terminal,
    }),
    'GET /v2/partner/float': plain('/v2/partner/float'),
    'GET /v2/partner/dispute/{id}': () => ({ url: `/v2/partner/dispute/${dispute}`, headers: disputed.headers }),
    'GET /v2/partner/day/{date}': plain('/v2/partner/day/2026-01-31'),
    'GET /v2/partner/transaction/{reference}': plain('/v2/partner/transaction/read'),
    'GET /v2/partner/wallet/{reference}': plain(`/v2/partner/wallet/${wallet}`),
    'GET /v2/partner/wallet/{reference}/account': plain(`/v2/partner/wallet/${wallet}/account`),
    'POST /v2/partner/wallet/{reference}/account': plain(`/v2/partner/wallet/${wallet}/account`),
    'GET /v2/partner/webhook': plain('/v2/partner/webhook'),
    'POST /v2/partner/webhook/test': plain('/v2/partner/webhook/test'),
    'POST /v2/partner/webhook/portal': plain('/v2/partner/webhook/portal'),
    'GET /v2/partner/webhook/deliveries/{id}': plain(`/v2/partner/webhook/deliveries/${delivery}`),
    'POST /v2/partner/webhook/deliveries/{id}/resend': plain(`/v2/partner/webhook/deliveries/${delivery}/resend`),
    'GET /v2/partner/webhook/endpoints': plain('/v2/partner/webhook/endpoints'),
    'GET /v2/partner/webhook/endpoints/{id}': plain(`/v2/partner/webhook/endpoints/${endpoint}`),
    'POST /v2/partner/webhook/endpoints/{id}/test': plain(`/v2/partner/webhook/endpoints/${endpoint}/test`),
    'DELETE /v2/partner/webhook/endpoints/{id}': another,
    'POST /v2/partner/webhook/endpoints/{id}/pause': async () => {
      const { url, headers: own } = await another();
      return { url: `${url}/pause`, headers: own, body: {} };
    },
    'POST /v2/partner/webhook/endpoints/{id}/resume': async () => {
      const { url, headers: own } = await another();
      await server.call('POST', `${url}/pause`, { headers: own });
      return { url: `${url}/resume`, headers: own };
    },
    'POST /v2/partner/webhook/pause': async () => {
      const receiving = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
      return { url: '/v2/partner/webhook/pause', headers: receiving.headers, body: {} };
    },
    'POST /v2/partner/webhook/resume': async () => {
      const paused = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
      await server.call('POST', '/v2/partner/webhook/pause', { headers: paused.headers });
      return { url: '/v2/partner/webhook/resume', headers: paused.headers };
    },
  };
};
