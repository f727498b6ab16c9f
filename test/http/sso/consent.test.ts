import { describe, expect, it } from 'vitest';
import { verifyAttestation } from '#modules/claims';
import { useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import {
  answerConsent,
  askForClaim,
  claimsSeenBy,
  consentInPerson,
  eventsFor,
  type TestClaim,
} from '../../support/claims.ts';
import { federate, newEnd, refusal, remove, seeFederation, toldOf, verify } from '../../support/federations.ts';
import { OTP } from '../../support/onboarding.ts';
import { newSubject } from '../../support/tags.ts';
import { type LoggedIn, loggedIn } from '../../support/wallets.ts';

const server = useApp();

const askedBy = async (shop: TestApplication, { paytag }: LoggedIn): Promise<TestClaim> => {
  const subjectId = await newSubject(server, shop, { displayName: 'Ada O.' });
  return (await askForClaim(server, shop, paytag, { subjectId })).json().data;
};
/** A claim that the customer agreed to on the page, and its attestation. */
async function agreed(shop: TestApplication, customer: LoggedIn) {
  const claim = await askedBy(shop, customer);
  await consentInPerson(server, claim);
  const approved = await answerConsent(server, shop, claim.consentToken, 'approve');
  return { claim, token: approved.json<{ data: { token: string } }>().data.token };
}
/** A link to her PayTag that waits for the code she was sent. */
async function pendingLink({ paytag }: LoggedIn) {
  const primary = await newEnd(server, 'Acme');
  const asked = { secondaryTag: paytag, verificationMethod: 'OTP' };
  const started = await federate(server, primary, primary.tag, asked);
  const [{ id }] = started.json<{ data: { links: [{ id: string }] } }>().data.links;
  return { primary, link: { id, primaryTag: primary.tag } };
}
/** The same, verified. */
async function linked(customer: LoggedIn) {
  const pending = await pendingLink(customer);
  await verify(server, pending.primary, pending.link, OTP);
  return pending;
}
const list = ({ headers }: Pick<LoggedIn, 'headers'>, query = '') =>
  server.call('GET', `/v2/sso/consent${query}`, { headers });
const withdraw = ({ headers }: Pick<LoggedIn, 'headers'>, id: string) =>
  server.call('DELETE', `/v2/sso/consent/${id}`, { headers });
const someone = async () => loggedIn(server, await server.newPartner());

describe('GET /sso/consent', () => {
  it('200: lists what she agreed to and nothing else, newest first, in pages', async () => {
    const [ada, bola, shop] = [await someone(), await someone(), await newApplication(server, 'Shop')];
    const { claim: first } = await agreed(shop, ada);
    const { claim: second } = await agreed(shop, ada);
    await askedBy(shop, ada);
    await agreed(shop, bola);
    const answer = await list(ada);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const shown = {
      type: 'CLAIM',
      paytag: ada.paytag,
      applicationName: 'Shop',
      name: 'Ada O.',
      approvedAt: expect.any(String),
    };
    expect(answer.json()).toEqual({
      items: [second, first].map(({ id }) => ({ id, ...shown })),
      count: 2,
      limit: 20,
      offset: 0,
    });
    expect((await list(ada, '?limit=1&offset=1')).json()).toMatchObject({ items: [{ id: first.id }], count: 2 });
  });

  it('200: lists the links of her PayTag among them, however they were verified, and none that wait or ended', async () => {
    const [ada, bola, shop] = [await someone(), await someone(), await newApplication(server, 'Shop')];
    const first = await linked(ada);
    const { claim } = await agreed(shop, ada);
    const last = await linked(ada);
    await linked(bola);
    await pendingLink(ada);
    const over = await linked(ada);
    await remove(server, over.primary, over.link);
    const { items, count } = (await list(ada)).json();
    const shownOf = ({ link, primary }: typeof first) => ({
      id: link.id,
      type: 'LINK',
      paytag: ada.paytag,
      applicationName: 'Acme',
      linkedTo: `${primary.tag}@${primary.namespace}`,
      approvedAt: expect.any(String),
    });
    expect(items).toEqual([shownOf(last), expect.objectContaining({ id: claim.id }), shownOf(first)]);
    expect(count).toBe(3);
    expect((await list(ada, '?limit=1&offset=2')).json()).toMatchObject({ items: [{ id: first.link.id }], count: 3 });
    expect((await list(ada, '?limit=5&offset=3')).json()).toMatchObject({ items: [], count: 3 });
  });

  it('400 and 401: a limit that is none; without her token', async () => {
    const ada = await someone();
    expect((await list(ada, '?limit=-1')).statusCode).toBe(400);
    expect((await list(ada.partner)).statusCode).toBe(401);
  });
});

describe('DELETE /sso/consent/{consentId}', () => {
  it('200: the claim is revoked, its attestation worth nothing, and the application told, once of fifty at once', async () => {
    const [ada, shop] = [await someone(), await newApplication(server, 'Shop')];
    const { claim, token } = await agreed(shop, ada);
    const requesterId = shop.applicationId;
    expect(await verifyAttestation(server.resources, { token, requesterId })).toBeDefined();
    const answers = await Promise.all(Array.from({ length: 50 }, () => withdraw(ada, claim.id)));
    const taken = answers.filter(({ statusCode }) => statusCode === 200);
    expect(taken.map((answer) => answer.json())).toEqual([true]);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
    expect(await claimsSeenBy(server, shop, ada.paytag)).toMatchObject([{ id: claim.id, state: 'REVOKED' }]);
    expect(await verifyAttestation(server.resources, { token, requesterId })).toBeUndefined();
    const told = (await eventsFor(server, shop)).filter(({ event }) => event === 'CONSENT_REVOKED');
    expect(told).toMatchObject([{ reference: claim.id }]);
    expect((await list(ada)).json().items).toEqual([]);
    const resolved = await server.call('GET', `/api/v1/tags/${ada.paytag}`);
    expect(resolved.json().data.activeClaims).toEqual([]);
  });

  it('200: a link is revoked, and the application that started it told, once of fifty at once', async () => {
    const ada = await someone();
    const { link, primary } = await linked(ada);
    const answers = await Promise.all(Array.from({ length: 50 }, () => withdraw(ada, link.id)));
    const taken = answers.filter(({ statusCode }) => statusCode === 200);
    expect(taken.map((answer) => answer.json())).toEqual([true]);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200).map(refusal);
    expect(refused).toEqual(Array.from({ length: 49 }, () => [409, 'LINK_ENDED']));
    expect((await seeFederation(server, primary, primary.tag)).json().data.links).toMatchObject([
      { id: link.id, status: 'REVOKED' },
    ]);
    expect(await toldOf(server, primary, link)).toEqual(['FEDERATION_REVOKED']);
    expect((await list(ada)).json()).toMatchObject({ items: [], count: 0 });
  });

  it('400 and 401: an id that is none; without her token', async () => {
    const [ada, shop] = [await someone(), await newApplication(server, 'Shop')];
    const { claim } = await agreed(shop, ada);
    expect((await withdraw(ada, 'none')).statusCode).toBe(400);
    expect((await withdraw(ada.partner, claim.id)).statusCode).toBe(401);
  });

  it('404: another customer’s, and one that nobody knows', async () => {
    const [ada, bola, shop] = [await someone(), await someone(), await newApplication(server, 'Shop')];
    const { claim } = await agreed(shop, ada);
    for (const id of [claim.id, '00000000-0000-7000-8000-000000000000']) {
      const answer = await withdraw(bola, id);
      expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'CONSENT_NOT_FOUND']);
    }
    expect((await list(ada)).json().count).toBe(1);
  });

  it('404: another customer’s link, and one of hers that waits for its answer', async () => {
    const [ada, bola] = [await someone(), await someone()];
    const verified = await linked(ada);
    expect(refusal(await withdraw(bola, verified.link.id))).toEqual([404, 'CONSENT_NOT_FOUND']);
    const waiting = await pendingLink(ada);
    expect(refusal(await withdraw(ada, waiting.link.id))).toEqual([404, 'CONSENT_NOT_FOUND']);
    expect((await list(ada)).json().items).toMatchObject([{ id: verified.link.id }]);
  });

  it('409: one that waits for her answer', async () => {
    const [ada, shop] = [await someone(), await newApplication(server, 'Shop')];
    const answer = await withdraw(ada, (await askedBy(shop, ada)).id);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'CLAIM_NOT_APPROVED']);
  });
});
