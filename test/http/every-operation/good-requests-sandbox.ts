import { partnerEvents } from '#modules/sandbox';
import { newEndpoint } from '../../support/deliveries.ts';
import { newPerson, startSession } from '../../support/onboarding.ts';
import { newReference, newWallet } from '../../support/payments.ts';
import { newSide } from '../../support/switch.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import type { GoodRequestsOf } from './good-requests.ts';

const DISTURBED = { answer: 'slow', times: 1, delayMs: 0 };

/** Of the sandbox API. */
export const goodRequestsOfSandbox: GoodRequestsOf = async (server) => {
  const partner = await server.newPartner({ float: 100_000, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const { headers } = partner;
  await newEndpoint(server, partner, { events: partnerEvents.filter((event) => event !== 'webhook.test') });
  const { reference: wallet, nuban } = await newWallet(server, partner);
  const terminal = await newTerminal(server, partner);
  const post = (path: string, given: object = {}) => ({
    url: `/v2/sandbox${path}`,
    headers,
    body: { amount: 1, reference: newReference(), ...given },
  });
  const sender = { name: 'Bola Ade' };
  const application = await newSide(server, 'Rides', { webhookUrl: 'http://127.0.0.1:9/hooks' });
  const byApplication = (path: string, body?: Record<string, unknown>) => ({
    url: `/v2/sandbox/application${path}`,
    headers: application.headers,
    ...(body && { body }),
  });
  return {
    'POST /v2/sandbox/wallet/{reference}/credit': () => post(`/wallet/${wallet}/credit`),
    'POST /v2/sandbox/wallet/{reference}/debit': async () => {
      const { url, body } = post(`/wallet/${wallet}/credit`);
      await server.call('POST', url, { headers, payload: body });
      return post(`/wallet/${wallet}/debit`);
    },
    'POST /v2/sandbox/payment/gateway': () => post('/payment/gateway', { sender }),
    'POST /v2/sandbox/payment/terminal': () => post('/payment/terminal', { terminal, sender }),
    'POST /v2/sandbox/payment/inbound': () => post('/payment/inbound', { nuban, sender }),
    'POST /v2/sandbox/terminal/{terminal}/split/{split}/pay': async () =>
      post(`/terminal/${terminal}/split/${await newSplit(server, terminal, 10)}/pay`, { sender }),
    'POST /v2/sandbox/transaction/{reference}/fail': async () => {
      const { url, body } = post('/payment/gateway');
      await server.call('POST', url, { headers, payload: body });
      return { url: `/v2/sandbox/transaction/${body.reference}/fail`, headers };
    },
    'GET /v2/sandbox/otp': async () => {
      const session = await startSession(server, partner, newPerson());
      await server.call('GET', `/v2/sso/${session}/otp`, { headers });
      return { url: '/v2/sandbox/otp', headers, query: { session } };
    },
    'POST /v2/sandbox/events': () => ({ url: '/v2/sandbox/events', headers, body: { event: 'wallet.credited' } }),
    'GET /v2/sandbox/hooks': () => ({ url: '/v2/sandbox/hooks', headers }),
    'POST /v2/sandbox/time': () => ({ url: '/v2/sandbox/time', headers, body: { seconds: 1 } }),
    'GET /v2/sandbox/providers': () => ({ url: '/v2/sandbox/providers', headers }),
    'PUT /v2/sandbox/providers/{provider}': () => ({ url: '/v2/sandbox/providers/email', headers, body: DISTURBED }),
    'DELETE /v2/sandbox/providers/{provider}': () => ({ url: '/v2/sandbox/providers/email', headers }),
    'POST /v2/sandbox/application/time': () => byApplication('/time', { seconds: 1 }),
    'GET /v2/sandbox/application/providers': () => byApplication('/providers'),
    'PUT /v2/sandbox/application/providers/{provider}': () => byApplication('/providers/email', DISTURBED),
    'DELETE /v2/sandbox/application/providers/{provider}': () => byApplication('/providers/email'),
    'POST /v2/sandbox/application/events': () => byApplication('/events', { event: 'TRANSACTION_INITIATED' }),
    'GET /v2/sandbox/application/hooks': () => byApplication('/hooks'),
    'POST /v2/sandbox/application/transaction': () =>
      byApplication('/transaction', { receiverTag: application.tag, amount: 1, reference: newReference() }),
    'POST /v2/sandbox/application/wallet/credit': () =>
      byApplication('/wallet/credit', { amount: 1, reference: newReference() }),
    'POST /v2/sandbox/hooks/{mode}/{key}': async () => {
      const { urls } = (await server.call('GET', '/v2/sandbox/hooks', { headers })).json<{ urls: { '200': string } }>();
      return { url: new URL(urls['200']).pathname, headers: {}, body: { event: 'webhook.test' } };
    },
  };
};
