import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import {
  after,
  answerConsent,
  claimsSeenBy,
  consentInPerson,
  DAY_MS,
  newClaim,
  newSides,
} from '../../support/claims.ts';

const server = useApp();
const read = (consentToken: string) => server.call('GET', `/api/v1/consent/${consentToken}`);

describe('200', () => {
  it('shows the requester, the request and its expiry to anyone with the link', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await read(claim.consentToken);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(answer.json().data).toEqual({
      consentId: claim.id,
      tagString: sides.tag,
      qualifiedAddress: `${sides.tag}@${sides.owner.namespace}`,
      requestedByAppId: sides.requester.applicationId,
      requestedByAppName: 'Shop',
      subjectDisplayName: 'Bola Ade',
      state: 'PENDING',
      requestedAt: expect.any(String),
      tokenExpiresAt: claim.tokenExpiresAt,
    });
    expect(server.logged).not.toContain(claim.consentToken);
  });

  it('does nothing, however often a link is prefetched', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answers = await Promise.all(Array.from({ length: 10 }, () => read(claim.consentToken)));
    for (const answer of answers) expect(answer.json().data).toMatchObject({ state: 'PENDING' });
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toEqual([claim]);
    const tooSoon = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect(tooSoon.json().errorCode).toBe('OWNER_CONSENT_REQUIRED');
  });

  it('shows that the owner consented, and the outcome of the claim', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    expect((await read(claim.consentToken)).json().data).toMatchObject({
      state: 'PENDING',
      ownerConfirmedAt: expect.any(String),
    });
    await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect((await read(claim.consentToken)).json().data).toMatchObject({ state: 'APPROVED' });
  });
});

describe('404', () => {
  it.each(['x', '%00', '..%2fv1', '%25', 'é', "'or'1'='1"])('knows no consent request %s', async (token) => {
    const answer = await read(token);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ errorCode: 'CONSENT_NOT_FOUND', data: null });
  });

  it('takes a token as it is: not cut, not padded, not in other capitals', async () => {
    const { consentToken } = await newClaim(server, await newSides(server));
    for (const wrong of [consentToken.slice(1), `${consentToken}=`, `${consentToken}%20`, consentToken.toUpperCase()]) {
      expect((await read(wrong)).statusCode).toBe(404);
    }
  });
});

describe('410', () => {
  it('says that the request has expired', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await after(server, DAY_MS, sides);
    const answer = await read(claim.consentToken);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([410, 'CONSENT_EXPIRED']);
  });
});
