import { newEndpoint } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import { newPerson } from '../../support/onboarding.ts';
import { newReference } from '../../support/payments.ts';
import { newTerminal } from '../../support/terminals.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';
import type { GoodRequestsOf } from './good-requests.ts';

/** Of the partner API. */
export const goodRequestsOfPartners: GoodRequestsOf = async (server) => {
  const partner = await server.newPartner({ float: 100_000, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const { headers } = partner;
  const wallet = await kycWallet(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: 10_000, reference: newReference() });
  const terminal = { ...headers, 'x-terminal': await newTerminal(server, partner) };
  const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
  await server.call('POST', '/v2/partner/wallet', { headers, payload: { kyc, profileId: 7 } });
  const credit = async () => {
    const reference = newReference();
    await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference });
    return reference;
  };
  await credit();
  await credit();
  const endpoint = await newEndpoint(server, partner);
  const { id: dispute, partner: disputed } = await newDispute(server);

  const list = (url: string) => () => ({ url, headers });
  const movement = (url: string) => () => ({ url, headers, body: { amount: 1, reference: newReference() } });
  return {
    'POST /v2/partner/paytag': () => {
      const { paytag: tag, email: _email, dateOfBirth: _dateOfBirth, ...person } = newPerson();
      return { url: '/v2/partner/paytag', headers, body: { ...person, tag } };
    },
    'POST /v2/partner/wallet': () => ({ url: '/v2/partner/wallet', headers, body: { kyc, profileId: 7 } }),
    'GET /v2/partner/wallet': list('/v2/partner/wallet'),
    'GET /v2/partner/dispute': list('/v2/partner/dispute'),
    'POST /v2/partner/dispute/{id}/evidence': () => ({
      url: `/v2/partner/dispute/${dispute}/evidence`,
      headers: disputed.headers,
      body: { text: 'Delivered, and signed for' },
    }),
    'GET /v2/partner/day/{date}': list('/v2/partner/day/2026-01-31'),
    'GET /v2/partner/wallet/{reference}/history': list(`/v2/partner/wallet/${wallet}/history`),
    'POST /v2/partner/wallet/{reference}/credit': movement(`/v2/partner/wallet/${wallet}/credit`),
    'POST /v2/partner/wallet/{reference}/debit': movement(`/v2/partner/wallet/${wallet}/debit`),
    'POST /v2/partner/wallet/{reference}/payout': () => ({
      url: `/v2/partner/wallet/${wallet}/payout`,
      headers,
      body: { amount: 1, reference: newReference(), accountNumber: '0123456789', bankCode: '058' },
    }),
    'POST /v2/partner/transaction/{reference}/refund': async () => ({
      url: `/v2/partner/transaction/${await credit()}/refund`,
      headers,
      body: { reference: newReference() },
    }),
    'GET /v2/partner/terminal/splits': () => ({ url: '/v2/partner/terminal/splits', headers: terminal }),
    'POST /v2/partner/terminal/split': () => {
      return { url: '/v2/partner/terminal/split', headers: terminal, body: { amount: 5, title: 'Fridge' } };
    },
    'PUT /v2/partner/webhook': () => {
      return { url: '/v2/partner/webhook', headers, body: { url: 'http://127.0.0.1:9/hooks' } };
    },
    'PUT /v2/partner/webhook/contact': () => {
      return { url: '/v2/partner/webhook/contact', headers, body: { email: 'hooks@acme.example' } };
    },
    'GET /v2/partner/webhook/deliveries': list('/v2/partner/webhook/deliveries'),
    'POST /v2/partner/webhook/replay': () => ({ url: '/v2/partner/webhook/replay', headers, body: {} }),
    'POST /v2/partner/webhook/pause': () => ({ url: '/v2/partner/webhook/pause', headers, body: {} }),
    'POST /v2/partner/webhook/endpoints': async () => {
      const another = await server.newPartner();
      const body = {
        url: 'http://127.0.0.1:9/hooks',
        description: 'Bookkeeping',
        events: ['wallet.credited'],
        headers: { authorization: 'Bearer theirs' },
        rate: 5,
        ordered: true,
      };
      return { url: '/v2/partner/webhook/endpoints', headers: another.headers, body };
    },
    'PATCH /v2/partner/webhook/endpoints/{id}': () => ({
      url: `/v2/partner/webhook/endpoints/${endpoint}`,
      headers,
      body: {
        url: 'http://127.0.0.1:9/other',
        description: 'Books',
        events: ['wallet.debited'],
        headers: { authorization: 'Bearer others' },
        rate: 7,
        ordered: true,
      },
    }),
    'POST /v2/partner/webhook/endpoints/{id}/pause': () => ({
      url: `/v2/partner/webhook/endpoints/${endpoint}/pause`,
      headers,
      body: {},
    }),
    'POST /v2/partner/webhook/endpoints/{id}/secret/rotate': async () => {
      const another = await server.newPartner();
      const url = `/v2/partner/webhook/endpoints/${await newEndpoint(server, another)}/secret/rotate`;
      return { url, headers: another.headers, body: {} };
    },
    'POST /v2/partner/webhook/secret/rotate': async () => {
      const another = await server.newPartner();
      return { url: '/v2/partner/webhook/secret/rotate', headers: another.headers, body: {} };
    },
  };
};
