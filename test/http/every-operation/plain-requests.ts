import { newApplication } from '../../support/application.ts';
import { newImport } from '../../support/bank-files.ts';
import { answerConsent, askForClaim, newEnds, newLink, type TestClaim, verifyRightly } from '../../support/claims.ts';
import { customerWithId } from '../../support/customers.ts';
import { newEndpoint, partnerWithEvents } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { NEW_PASSWORD, newCustomer, newPerson, validatedReset } from '../../support/onboarding.ts';
import { newOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { newSide, offer } from '../../support/switch.ts';
import { another, newSubject, newTag } from '../../support/tags.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { loggedIn, moveMoney, newReference } from '../../support/wallets.ts';
import { operatorChanges } from '../operator-changes.ts';
import { approvedClaim } from '../sso/consents.ts';
import { type GoodRequestsOf, type MakeGood, operatorReads } from './good-requests.ts';

const under = (path: string) => `/operator/v1${path}`;

/** Of the operator API, by an admin: all that changes something, and reads that take nothing but what stands in their path. */
export const plainRequestsOfOperator: GoodRequestsOf = async (server) => {
  const admin = await newOperator(server, 'admin');
  const headers = { authorization: `Bearer ${admin.token}` };
  const { partner, wallet } = await partnerWithEvents(server);
  const { id: customer } = await customerWithId(server, partner);
  const application = await newApplication(server);
  const { id: payout } = await unknownPayout(server);
  const { id: imported } = await newImport(server);
  const { id: dispute } = await newDispute(server);
  const { items } = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json<{
    items: { id: string }[];
  }>();
  /** A request of root for more than may be moved without approval. */
  const asked = async (): Promise<string> => {
    const body = { amount: 2_000_000, reference: newReference() };
    return (await server.operate('POST', `/partners/${partner.id}/float`, body)).json<{ id: string }>().id;
  };
  const approval = await asked();
  await server.operate('POST', '/rails/simulator/compare', { date: '2026-01-30' });

  const reads = {
    ...(await operatorReads(server)),
    'GET /operator/v1/tags/{tag}': `/tags/${await newTag(server, application)}`,
    'GET /operator/v1/applications/{id}': `/applications/${application.applicationId}`,
    'GET /operator/v1/partners/{id}': `/partners/${partner.id}`,
    'GET /operator/v1/partners/{id}/day/{date}': `/partners/${partner.id}/day/2026-01-31`,
    'GET /operator/v1/deliveries/{id}': `/deliveries/${items[0]?.id}`,
    'GET /operator/v1/disputes': '/disputes',
    'GET /operator/v1/disputes/{id}': `/disputes/${dispute}`,
    'GET /operator/v1/inbox/{id}': `/inbox/${await unknownPayment(server)}`,
    'GET /operator/v1/inbox': '/inbox',
    'GET /operator/v1/rails': '/rails',
    'GET /operator/v1/rails/{provider}/comparisons': '/rails/simulator/comparisons',
    'GET /operator/v1/rails/{provider}/comparisons/{date}': '/rails/simulator/comparisons/2026-01-30',
    'GET /operator/v1/payouts/{id}': `/payouts/${payout}`,
    'GET /operator/v1/payouts': '/payouts',
    'GET /operator/v1/reconciliation/imports': '/reconciliation/imports',
    'GET /operator/v1/reconciliation/imports/{id}': `/reconciliation/imports/${imported}`,
    'GET /operator/v1/reconciliation/items': '/reconciliation/items',
    'GET /operator/v1/receivers/{ownerId}': `/receivers/${partner.id}`,
    'GET /operator/v1/wallets/{reference}': `/wallets/${wallet}`,
    'GET /operator/v1/accounts': '/accounts',
    'GET /operator/v1/settings': '/settings',
    'GET /operator/v1/keys': '/keys',
    'GET /operator/v1/customers/{id}': `/customers/${customer}`,
    'GET /operator/v1/approvals/{id}': `/approvals/${approval}`,
    'GET /operator/v1/operators/me': '/operators/me',
    'GET /operator/v1/applications': '/applications',
    'GET /operator/v1/partners': '/partners',
    'GET /operator/v1/transactions': `/transactions?reference=credit`,
    'GET /operator/v1/deliveries': '/deliveries',
    'GET /operator/v1/suspense': '/suspense',
    'GET /operator/v1/audit': '/audit',
    'GET /operator/v1/remittances': '/remittances',
    'GET /operator/v1/requests/{requestId}': '/requests/of-nobody',
    'GET /operator/v1/seals': '/seals',
    'GET /operator/v1/ledger/check': '/ledger/check',
    'GET /operator/v1/ledger/trial-balance/{date}': '/ledger/trial-balance/2026-01-31',
    'GET /operator/v1/wallets': '/wallets',
    'GET /operator/v1/approvals': '/approvals',
    'GET /operator/v1/operators': '/operators',
  };
  const plain = Object.entries(reads).map(([name, path]): [string, MakeGood] => [
    name,
    () => ({ url: under(path), headers }),
  ]);
  const changes = Object.entries(operatorChanges).map(([name, make]): [string, MakeGood] => [
    name.replace(' ', ' /operator/v1'),
    async () => {
      const { url, body } = await make(server, another('change-'));
      return { url: under(url), headers, body: body as Record<string, unknown> };
    },
  ]);
  return {
    ...Object.fromEntries([...plain, ...changes]),
    'POST /operator/v1/approvals/{id}/approve': async () => {
      return { url: under(`/approvals/${await asked()}/approve`), headers, body: {} };
    },
    'POST /operator/v1/approvals/{id}/reject': async () => {
      return { url: under(`/approvals/${await asked()}/reject`), headers, body: { reason: 'a test asks for it' } };
    },
  };
};

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
  const anEndpoint = async () => {
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
    'DELETE /v2/partner/webhook/endpoints/{id}': anEndpoint,
    'POST /v2/partner/webhook/endpoints/{id}/pause': async () => {
      const { url, headers: own } = await anEndpoint();
      return { url: `${url}/pause`, headers: own, body: {} };
    },
    'POST /v2/partner/webhook/endpoints/{id}/resume': async () => {
      const { url, headers: own } = await anEndpoint();
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

type Server = Parameters<GoodRequestsOf>[0];
type Asker = Parameters<typeof newSubject>[1];

/** A pending claim of this application on a tag. */
async function claimOn(server: Server, tag: string, asker: Asker): Promise<TestClaim> {
  const subjectId = await newSubject(server, asker);
  return (await askForClaim(server, asker, tag, { subjectId })).json<{ data: TestClaim }>().data;
}

/** Of the operations of the tag switch that take nothing but what stands in their path. */
export const plainRequestsOfSwitch: GoodRequestsOf = async (server) => {
  const [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
  const { headers } = acme;
  const approved = async () => {
    const claim = await claimOn(server, market.tag, acme);
    await answerConsent(server, market, claim.consentToken, 'approve');
    return claim;
  };
  const onClaim = (claim: TestClaim, what: string) => `/api/v1/tags/${claim.tagString}/claims/${claim.id}/${what}`;
  const attested = await approved();
  const ends = { ...(await newEnds(server)), secondary: acme };
  const link = await newLink(server, ends, 'CONSENT');
  await verifyRightly(server, ends, link, 'CONSENT');
  const onLink = ({ primaryTag, id }: { primaryTag: string; id: string }) =>
    `/api/v1/tags/${primaryTag}/federation/${id}`;
  /** A pending link to the tag of acme. */
  const pendingLink = async () => newLink(server, { ...(await newEnds(server)), secondary: acme }, 'CONSENT');
  const reference = newReference();
  const { id } = await offer(server, acme, market, { reference });

  const plain = (url: string) => () => ({ url, headers });
  return {
    'GET /api/v1/tags/{tag}': () => ({ url: `/api/v1/tags/${market.tag}`, headers: {} }),
    'DELETE /api/v1/tags/{tag}': async () => ({ url: `/api/v1/tags/${await newTag(server, acme)}`, headers }),
    'GET /api/v1/tags/{tag}/claims': plain(`/api/v1/tags/${market.tag}/claims`),
    'GET /api/v1/tags/{tag}/claims/{claimId}/attestation': plain(onClaim(attested, 'attestation')),
    'POST /api/v1/tags/{tag}/claims/{claimId}/cancel': async () => ({
      url: onClaim(await claimOn(server, market.tag, acme), 'cancel'),
      headers,
    }),
    'POST /api/v1/tags/{tag}/claims/{claimId}/revoke': async () => ({
      url: onClaim(await approved(), 'revoke'),
      headers,
    }),
    'POST /api/v1/consent/{consentToken}/approve': async () => {
      const { consentToken } = await claimOn(server, acme.tag, market);
      return { url: `/api/v1/consent/${consentToken}/approve`, headers };
    },
    'POST /api/v1/consent/{consentToken}/reject': async () => {
      const { consentToken } = await claimOn(server, acme.tag, market);
      return { url: `/api/v1/consent/${consentToken}/reject`, headers };
    },
    'GET /api/v1/tags/{tag}/federation': plain(`/api/v1/tags/${link.primaryTag}/federation`),
    'POST /api/v1/tags/{tag}/federation/{linkId}/reject': async () => ({
      url: `${onLink(await pendingLink())}/reject`,
      headers,
    }),
    'DELETE /api/v1/tags/{tag}/federation/{linkId}': async () => {
      const fresh = { ...(await newEnds(server)), secondary: acme };
      const verified = await newLink(server, fresh, 'CONSENT');
      await verifyRightly(server, fresh, verified, 'CONSENT');
      return { url: onLink(verified), headers };
    },
    'GET /api/v1/transactions': () => ({ url: '/api/v1/transactions', headers, query: { reference } }),
    'GET /api/v1/transactions/{id}': plain(`/api/v1/transactions/${id}`),
    'POST /api/v1/transactions/{id}/accept': async () => {
      return { url: `/api/v1/transactions/${(await offer(server, market, acme)).id}/accept`, headers };
    },
    'POST /api/v1/transactions/{id}/cancel': async () => {
      return { url: `/api/v1/transactions/${(await offer(server, acme, market)).id}/cancel`, headers };
    },
    'GET /api/v1/applications/webhook': plain('/api/v1/applications/webhook'),
    'GET /api/v1/applications/return-urls': plain('/api/v1/applications/return-urls'),
  };
};
