import { describe, expect, it } from 'vitest';
import { verifyAttestation } from '#modules/consent';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { claimsSeenBy, eventsFor, linkEventNames, refusal, remove, seeFederation } from '../../support/claims.ts';
import type { LoggedIn } from '../../support/wallets.ts';
import { approvedClaim, listConsents, newLoggedIn, pendingClaim, pendingLink, verifiedLink } from './consents.ts';

const server = useSharedApp();

describe('GET /sso/consent', () => {
  it('200: lists what a customer agreed to and nothing else, newest first, in pages', async () => {
    const [ada, bola, shop] = [
      await newLoggedIn(server),
      await newLoggedIn(server),
      await newApplication(server, 'Shop'),
    ];
    const { claim: first } = await approvedClaim(server, shop, ada);
    const { claim: second } = await approvedClaim(server, shop, ada);
    await pendingClaim(server, shop, ada);
    await approvedClaim(server, shop, bola);
    const answer = await listConsents(server, ada);
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
    expect((await listConsents(server, ada, '?limit=1&offset=1')).json()).toMatchObject({
      items: [{ id: first.id }],
      count: 2,
    });
  });

  it('200: lists the verified links of the PayTag too, however they were verified, but no pending or ended ones', async () => {
    const [ada, bola, shop] = [
      await newLoggedIn(server),
      await newLoggedIn(server),
      await newApplication(server, 'Shop'),
    ];
    const first = await verifiedLink(server, ada);
    const { claim } = await approvedClaim(server, shop, ada);
    const last = await verifiedLink(server, ada);
    await verifiedLink(server, bola);
    await pendingLink(server, ada);
    const ended = await verifiedLink(server, ada);
    await remove(server, ended.primary, ended.link);
    const { items, count } = (await listConsents(server, ada)).json();
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
    expect((await listConsents(server, ada, '?limit=1&offset=2')).json()).toMatchObject({
      items: [{ id: first.link.id }],
      count: 3,
    });
    expect((await listConsents(server, ada, '?limit=5&offset=3')).json()).toMatchObject({ items: [], count: 3 });
  });
});

describe('DELETE /sso/consent', () => {
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
});
