import { answerConsent, askForClaim, type TestClaim } from '../../support/claims.ts';
import { newEnds, newLink, verifyRightly } from '../../support/federations.ts';
import { newReference } from '../../support/payments.ts';
import { newSide, offer } from '../../support/switch.ts';
import { newSubject, newTag } from '../../support/tags.ts';
import type { GoodRequestsOf } from './good-requests.ts';

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
