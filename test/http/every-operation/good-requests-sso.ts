import {
  authCode,
  newPerson,
  OTP,
  PASSWORD,
  startSession,
  validatedReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { newReference } from '../../support/payments.ts';
import { loggedIn, logInAt } from '../../support/wallets.ts';
import type { GoodRequestsOf } from './good-requests.ts';

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
