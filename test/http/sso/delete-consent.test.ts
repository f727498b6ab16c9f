import { expect, it } from 'vitest';
import { verifyAttestation } from '#modules/claims';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { claimsSeenBy, eventsFor } from '../../support/claims.ts';
import { linkEventNames, refusal, seeFederation } from '../../support/federations.ts';
import type { LoggedIn } from '../../support/wallets.ts';
import { approvedClaim, listConsents, newLoggedIn, pendingClaim, pendingLink, verifiedLink } from './consents.ts';

const server = useSharedApp();

const withdraw = ({ headers }: Pick<LoggedIn, 'headers'>, id: string) =>
  server.call('DELETE', `/v2/sso/consent?consentId=${id}`, { headers });

it('200: revokes a claim and its attestation, and notifies the application, exactly once when fifty requests come at once', async () => {
  const [ada, shop] = [await newLoggedIn(server), await newApplication(server, 'Shop')];
  const { claim, token } = await approvedClaim(server, shop, ada);
  const requesterId = shop.applicationId;
  expect(await verifyAttestation(server.resources, { token, requesterId })).toBeDefined();
  const answers = await Promise.all(Array.from({ length: 50 }, () => withdraw(ada, claim.id)));
  const taken = answers.filter(({ statusCode }) => statusCode === 200);
  expect(taken.map((answer) => answer.json())).toEqual([true]);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
  expect(await claimsSeenBy(server, shop, ada.paytag)).toMatchObject([{ id: claim.id, state: 'REVOKED' }]);
  expect(await verifyAttestation(server.resources, { token, requesterId })).toBeUndefined();
  const published = (await eventsFor(server, shop)).filter(({ event }) => event === 'CONSENT_REVOKED');
  expect(published).toMatchObject([{ reference: claim.id }]);
  expect((await listConsents(server, ada)).json().items).toEqual([]);
  const resolved = await server.call('GET', `/api/v1/tags/${ada.paytag}`);
  expect(resolved.json().data.activeClaims).toEqual([]);
});

it('200: revokes a link and notifies the application that started it, exactly once when fifty requests come at once', async () => {
  const ada = await newLoggedIn(server);
  const { link, primary } = await verifiedLink(server, ada);
  const answers = await Promise.all(Array.from({ length: 50 }, () => withdraw(ada, link.id)));
  const taken = answers.filter(({ statusCode }) => statusCode === 200);
  expect(taken.map((answer) => answer.json())).toEqual([true]);
  const refused = answers.filter(({ statusCode }) => statusCode !== 200).map(refusal);
  expect(refused).toEqual(Array.from({ length: 49 }, () => [409, 'LINK_ENDED']));
  expect((await seeFederation(server, primary, primary.tag)).json().data.links).toMatchObject([
    { id: link.id, status: 'REVOKED' },
  ]);
  expect(await linkEventNames(server, primary, link)).toEqual(['FEDERATION_REVOKED']);
  expect((await listConsents(server, ada)).json()).toMatchObject({ items: [], count: 0 });
});

it('400 and 401: an invalid id; no customer token', async () => {
  const [ada, shop] = [await newLoggedIn(server), await newApplication(server, 'Shop')];
  const { claim } = await approvedClaim(server, shop, ada);
  expect((await withdraw(ada, 'none')).statusCode).toBe(400);
  expect((await withdraw(ada.partner, claim.id)).statusCode).toBe(401);
});

it('404: a consent of another customer, and an unknown one', async () => {
  const [ada, bola, shop] = [
    await newLoggedIn(server),
    await newLoggedIn(server),
    await newApplication(server, 'Shop'),
  ];
  const { claim } = await approvedClaim(server, shop, ada);
  for (const id of [claim.id, '00000000-0000-7000-8000-000000000000']) {
    const answer = await withdraw(bola, id);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'CONSENT_NOT_FOUND']);
  }
  expect((await listConsents(server, ada)).json().count).toBe(1);
});

it('404: a link of another customer, and a pending one of their own', async () => {
  const [ada, bola] = [await newLoggedIn(server), await newLoggedIn(server)];
  const verified = await verifiedLink(server, ada);
  expect(refusal(await withdraw(bola, verified.link.id))).toEqual([404, 'CONSENT_NOT_FOUND']);
  const waiting = await pendingLink(server, ada);
  expect(refusal(await withdraw(ada, waiting.link.id))).toEqual([404, 'CONSENT_NOT_FOUND']);
  expect((await listConsents(server, ada)).json().items).toMatchObject([{ id: verified.link.id }]);
});

it('409: a pending claim', async () => {
  const [ada, shop] = [await newLoggedIn(server), await newApplication(server, 'Shop')];
  const answer = await withdraw(ada, (await pendingClaim(server, shop, ada)).id);
  expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'CLAIM_NOT_APPROVED']);
});
