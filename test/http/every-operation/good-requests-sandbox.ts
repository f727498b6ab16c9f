import { newPerson, startSession } from '../../support/onboarding.ts';
import { newReference, newWallet } from '../../support/payments.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import type { GoodRequestsOf } from './good-requests.ts';

/** Of the sandbox API. */
export const goodRequestsOfSandbox: GoodRequestsOf = async (server) => {
  const partner = await server.newPartner({ float: 100_000, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const { headers } = partner;
  const { reference: wallet, nuban } = await newWallet(server, partner);
  const terminal = await newTerminal(server, partner);
  const post = (path: string, given: object = {}) => ({
    url: `/v2/sandbox${path}`,
    headers,
    body: { amount: 1, reference: newReference(), ...given },
  });
  const sender = { name: 'Bola Ade' };
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
    'POST /v2/sandbox/hooks/{mode}/{key}': async () => {
      const { urls } = (await server.call('GET', '/v2/sandbox/hooks', { headers })).json<{ urls: { '200': string } }>();
      return { url: new URL(urls['200']).pathname, headers: {}, body: { event: 'webhook.test' } };
    },
  };
};
