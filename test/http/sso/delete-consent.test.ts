import { expect, it } from 'vitest';
import { verifyAttestation } from '#modules/claims';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { claimsSeenBy, eventsFor } from '../../support/claims.ts';
import { linkEventNames, refusal, seeFederation } from '../../support/federations.ts';
import type { LoggedIn } from '../../support/wallets.ts';
import { approvedClaim, listConsents, newLoggedIn, verifiedLink } from './consents.ts';

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
