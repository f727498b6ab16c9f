import { partnerEvents } from '#modules/sandbox';
import type { TestApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { newClaim, newLink, newSides } from '../../support/claims.ts';
import { waitingLink } from '../../support/consent-page.ts';
import { newEndpoint, partnerWithEvents } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import {
  authCode,
  newPerson,
  OTP,
  PASSWORD,
  startSession,
  validatedReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { newSide, offer } from '../../support/switch.ts';
import { another, newSubject, newTag } from '../../support/tags.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { kycWallet, loggedIn, logInAt, moveMoney, newReference, newWallet } from '../../support/wallets.ts';

/** Reads of the operator API that look things up, by operation: the path of each, under the base address. */
export async function operatorReads(server: TestApp): Promise<Record<string, string>> {
  const { partner, wallet } = await partnerWithEvents(server);
  const reference = another('looked-up-');
  await moveMoney(server, partner, wallet, 'credit', { amount: 0.01, reference });
  const terminal = await newTerminal(server, partner);
  await newSplit(server, terminal, 10);
  return {
    'GET /operator/v1/claims': '/claims',
    'GET /operator/v1/customers': '/customers',
    'GET /operator/v1/federations': '/federations',
    'GET /operator/v1/overview': '/overview',
    'GET /operator/v1/operators/sessions': '/operators/sessions',
    'GET /operator/v1/receivers': '/receivers',
    'GET /operator/v1/sessions': '/sessions',
    'GET /operator/v1/splits': '/splits',
    'GET /operator/v1/tags': '/tags',
    'GET /operator/v1/terminals': '/terminals',
    'GET /operator/v1/throttles': '/throttles',
    'GET /operator/v1/terminals/{serialNumber}': `/terminals/${terminal}`,
    'GET /operator/v1/transactions/{reference}': `/transactions/${reference}?partnerId=${partner.id}`,
    'GET /operator/v1/wallets/{reference}/history': `/wallets/${wallet}/history`,
    'GET /operator/v1/wallets/{reference}/holds': `/wallets/${wallet}/holds`,
    'GET /operator/v1/wallets/{reference}/liens': `/wallets/${wallet}/liens`,
  };
}

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
      const stranger = await server.newPartner();
      const body = {
        url: 'http://127.0.0.1:9/hooks',
        description: 'Bookkeeping',
        events: ['wallet.credited'],
        headers: { authorization: 'Bearer theirs' },
        rate: 5,
        ordered: true,
      };
      return { url: '/v2/partner/webhook/endpoints', headers: stranger.headers, body };
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
      const stranger = await server.newPartner();
      const url = `/v2/partner/webhook/endpoints/${await newEndpoint(server, stranger)}/secret/rotate`;
      return { url, headers: stranger.headers, body: {} };
    },
    'POST /v2/partner/webhook/secret/rotate': async () => {
      const stranger = await server.newPartner();
      return { url: '/v2/partner/webhook/secret/rotate', headers: stranger.headers, body: {} };
    },
  };
};

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

/** Of the SSO API. */
export const goodRequestsOfSso: GoodRequestsOf = async (server) => {
  const partner = await server.newPartner({ float: 10_000 });
  const { headers } = partner;
  const ada = await loggedIn(server, partner, 5000);
  const bola = await loggedIn(server, partner);
  const session = () => startSession(server, partner, newPerson());
  const list = (url: string) => () => ({ url, headers: ada.headers });
  await server.call('POST', '/v2/sso/transaction', {
    headers: ada.headers,
    payload: { paytag: bola.paytag, amount: 1, reference: newReference() },
  });

  await server.call('POST', '/v2/sso/wallet/bank-account', {
    headers: ada.headers,
    payload: { accountNumber: '0123456789', bankCode: '058' },
  });

  const reset = await validatedReset(server, partner, bola.paytag);
  return {
    'POST /v2/sso/auth-code': () => {
      return { url: '/v2/sso/auth-code', headers, body: { paytag: ada.paytag, password: PASSWORD } };
    },
    'GET /v2/sso/token': async () => {
      return { url: '/v2/sso/token', headers, query: { 'auth-code': await authCode(server, partner, ada.paytag) } };
    },
    'DELETE /v2/sso/token': async () => ({
      url: '/v2/sso/token',
      headers: (await logInAt(server, partner, bola)).headers,
    }),
    'GET /v2/sso/verify-tag': () => ({ url: '/v2/sso/verify-tag', headers, query: { paytag: 'somebody' } }),
    'GET /v2/sso': async () => ({ url: '/v2/sso', headers, query: { session: await session() } }),
    'POST /v2/sso/create-tag': () => {
      const { email: _email, phone: _phone, paytag: _paytag, ...person } = newPerson();
      return { url: '/v2/sso/create-tag', headers, body: person };
    },
    'GET /v2/sso/{session}/otp': async () => ({ url: `/v2/sso/${await session()}/otp`, headers }),
    'GET /v2/sso/create-tag/{onboarding}/otp': async () => {
      return { url: `/v2/sso/create-tag/${await session()}/otp`, headers };
    },
    'POST /v2/sso/{session}/otp': async () => {
      const id = await session();
      await server.call('GET', `/v2/sso/${id}/otp`, { headers });
      return { url: `/v2/sso/${id}/otp`, headers, body: { otp: OTP } };
    },
    'POST /v2/sso/create-tag/{session}/complete': async () => {
      const { paytag, ...person } = newPerson();
      const id = await validatedSession(server, partner, person);
      return { url: `/v2/sso/create-tag/${id}/complete`, headers, body: { paytag, password: PASSWORD } };
    },
    'POST /v2/sso/password': () => ({ url: '/v2/sso/password', headers, body: { paytag: bola.paytag } }),
    'POST /v2/sso/password/{session}/complete': async () => {
      return { url: `/v2/sso/password/${reset}/complete`, headers, body: { password: PASSWORD } };
    },
    'POST /v2/sso/payout': () => {
      return { url: '/v2/sso/payout', headers: ada.headers, body: { amount: 1, reference: newReference() } };
    },
    'GET /v2/sso/beneficiary': list('/v2/sso/beneficiary'),
    'DELETE /v2/sso/beneficiary': () => {
      return { url: '/v2/sso/beneficiary', headers: ada.headers, body: { paytag: bola.paytag } };
    },
    'GET /v2/sso/qr': list('/v2/sso/qr'),
    'GET /v2/sso/contact': list('/v2/sso/contact'),
    'PUT /v2/sso/contact': () => ({
      url: '/v2/sso/contact',
      headers: ada.headers,
      body: { email: `${newReference()}@example.com` },
    }),
    'DELETE /v2/sso/contact': list('/v2/sso/contact'),
    'GET /v2/sso/consent': list('/v2/sso/consent'),
    'GET /v2/sso/transaction': list('/v2/sso/transaction'),
    'POST /v2/sso/transaction': () => ({
      url: '/v2/sso/transaction',
      headers: ada.headers,
      body: { paytag: bola.paytag, amount: 1, reference: newReference() },
    }),
    'POST /v2/sso/transaction/statement': list('/v2/sso/transaction/statement'),
    'POST /v2/sso/wallet/bank-account': () => ({
      url: '/v2/sso/wallet/bank-account',
      headers: ada.headers,
      body: { accountNumber: '0123456789', bankCode: '058' },
    }),
  };
};

/** Of the tag switch and application identity. */
export const goodRequestsOfSwitch: GoodRequestsOf = async (server) => {
  const [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
  const { headers } = acme;
  const { client_id, client_secret } = acme;
  const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` };
  const { consentToken } = await newClaim(server, await newSides(server));
  const approval = new URL((await waitingLink(server)).approvalUrl).pathname;
  /** A subject by the name that is not the member under test. */
  const subject = async (member: string) => {
    const externalId = another('somebody-');
    const subjectId = await newSubject(server, acme, { externalId });
    return member === 'subjectId' ? { externalId } : { subjectId };
  };
  await offer(server, market, acme);

  return {
    'POST /api/v1/applications': () => {
      return { url: '/api/v1/applications', headers: {}, body: { applicationName: 'Corner Shop' } };
    },
    'POST /api/v1/auth/token': (member) => ({
      url: '/api/v1/auth/token',
      headers: member.startsWith('client_') ? basic : {},
      body: member.startsWith('client_') ? {} : { client_id, client_secret },
    }),
    'POST /api/v1/applications/secret/rotate': async () => {
      const fresh = await newApplication(server);
      const body = { client_secret: fresh.client_secret };
      return { url: '/api/v1/applications/secret/rotate', headers: fresh.headers, body };
    },
    'PUT /api/v1/applications/webhook': () => {
      return { url: '/api/v1/applications/webhook', headers, body: { url: 'http://127.0.0.1:9/hooks' } };
    },
    'PUT /api/v1/applications/return-urls': () => {
      const body = { returnUrls: ['https://shop.example/linked'] };
      return { url: '/api/v1/applications/return-urls', headers, body };
    },
    'POST /api/v1/subjects': () => ({ url: '/api/v1/subjects', headers, body: { externalId: another('user-') } }),
    'POST /api/v1/tags': async (member) => {
      return { url: '/api/v1/tags', headers, body: { tagString: another('made'), ...(await subject(member)) } };
    },
    'POST /api/v1/tags/{tag}/claims': async (member) => {
      return { url: `/api/v1/tags/${market.tag}/claims`, headers, body: await subject(member) };
    },
    'GET /api/v1/tags/{tag}/claims': () => ({ url: `/api/v1/tags/${market.tag}/claims`, headers: market.headers }),
    'POST /api/v1/tags/{tag}/federation': async () => ({
      url: `/api/v1/tags/${await newTag(server, acme)}/federation`,
      headers,
      body: { secondaryTag: market.tag, verificationMethod: 'CONSENT' },
    }),
    'POST /api/v1/tags/{tag}/federation/{linkId}/verify': async () => {
      const primary = { ...acme, tag: await newTag(server, acme) };
      const link = await newLink(server, { primary, secondary: market, stranger: market }, 'CONSENT');
      const url = `/api/v1/tags/${link.primaryTag}/federation/${link.id}/verify`;
      return { url, headers: market.headers, body: {} };
    },
    'GET /api/v1/wallet': () => ({ url: '/api/v1/wallet', headers }),
    'POST /api/v1/transactions': () => ({
      url: '/api/v1/transactions',
      headers,
      body: { senderTag: acme.tag, receiverTag: market.tag, amount: 1, currency: 'NGN' },
    }),
    'POST /api/v1/transactions/{id}/reject': async () => {
      const { id } = await offer(server, market, acme, { reference: newReference() });
      return { url: `/api/v1/transactions/${id}/reject`, headers, body: { rejectionReason: 'too late' } };
    },
    'GET /api/v1/transactions/pending': () => ({ url: '/api/v1/transactions/pending', headers }),
    'GET /api/v1/consent/{consentToken}': () => ({ url: `/api/v1/consent/${consentToken}`, headers: {} }),
    'GET /api/v1/federation/{approvalToken}': () => ({ url: approval, headers: {} }),
  };
};

/** A request that does what its operation is for. */
export interface Good {
  url: string;
  headers: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/**
 * Makes a request that was not made before, where the same one again would be answered otherwise.
 *
 * @param member the one that will be left out or spoilt: what takes its place must then be there
 * @param kind which of the things that an operation does by the `type` of its body
 */
export type MakeGood = (member: string, kind: string | undefined) => Good | Promise<Good>;

/** By operation, as a document names it. */
export type GoodRequests = Record<string, MakeGood>;

/** The requests of one surface: made once the server runs. */
export type GoodRequestsOf = (server: TestApp) => Promise<GoodRequests>;
