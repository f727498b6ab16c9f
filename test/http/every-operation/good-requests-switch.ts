import { newApplication } from '../../support/application.ts';
import { newClaim, newSides } from '../../support/claims.ts';
import { waitingLink } from '../../support/consent-page.ts';
import { newLink } from '../../support/federations.ts';
import { newReference } from '../../support/payments.ts';
import { newSide, offer } from '../../support/switch.ts';
import { another, newSubject, newTag } from '../../support/tags.ts';
import type { GoodRequestsOf } from './good-requests.ts';

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
