import { newApplication } from '../../support/application.ts';
import { NEW_PASSWORD, validatedReset } from '../../support/onboarding.ts';
import { another } from '../../support/tags.ts';
import { loggedIn } from '../../support/wallets.ts';
import { approvedClaim } from '../sso/consents.ts';
import type { GoodRequestsOf } from './good-requests.ts';

/** Of the operations of the SSO API that take nothing but what stands in their path, and of those that change
 * something once. */
export const plainRequestsOfSso: GoodRequestsOf = async (server) => {
  const partner = await server.newPartner({ float: 10 });
  const ada = await loggedIn(server, partner, 10);
  const { headers } = ada;
  const shop = await newApplication(server, 'Shop');
  await server.call('POST', '/v2/sso/wallet/bank-account', {
    headers,
    payload: { accountNumber: '0123456789', bankCode: '058' },
  });
  const asked = await server.call('POST', '/v2/sso/transaction/statement', {
    headers: { ...headers, prefer: 'respond-async' },
  });
  const { reference } = asked.json<{ reference: string }>();

  const plain = (url: string) => () => ({ url, headers });
  return {
    'DELETE /v2/sso/consent': async () => {
      const { claim } = await approvedClaim(server, shop, ada);
      return { url: `/v2/sso/consent?consentId=${claim.id}`, headers };
    },
    'GET /v2/sso/wallet': plain('/v2/sso/wallet'),
    'GET /v2/sso/transaction/statement/{reference}': plain(`/v2/sso/transaction/statement/${reference}`),
    'GET /v2/sso/wallet/limit': plain('/v2/sso/wallet/limit'),
    'POST /v2/sso/wallet/bank-account': () => {
      const accountNumber = `${another('')}0`.padStart(10, '1'); // the simulator knows none that ends in 1
      return { url: '/v2/sso/wallet/bank-account', headers, body: { accountNumber, bankCode: '058' } };
    },
    'POST /v2/sso/password/{session}/complete': async () => {
      const { paytag } = await loggedIn(server, partner);
      const session = await validatedReset(server, partner, paytag);
      return {
        url: `/v2/sso/password/${session}/complete`,
        headers: partner.headers,
        body: { password: NEW_PASSWORD },
      };
    },
    'GET /v2/sso/wallet/bank-account': plain('/v2/sso/wallet/bank-account'),
  };
};
