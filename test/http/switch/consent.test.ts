import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import {
  after,
  answerConsent,
  askForClaim,
  consentInPerson,
  DAY_MS,
  eventsFor,
  newClaim,
  newSides,
} from '../../support/claims.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSubject, newTag } from '../../support/tags.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example' });

describe('POST /consent/{consentToken}/approve', () => {
  it('answers an attestation for the application that asked, which anybody verifies with the published keys', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data } = answer.json();
    expect(data).toEqual({
      token: expect.any(String),
      expiresAt: expect.any(Number),
      tag: sides.tag,
      subjectId: sides.subjectId,
      consentId: claim.id,
    });

    const keys = (await server.call('GET', '/.well-known/jwks.json')).json<JSONWebKeySet>();
    const { payload } = await jwtVerify(data.token, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
      issuer: 'https://pay.example',
      audience: sides.requester.applicationId,
      typ: 'consent-attestation+jwt',
      currentDate: server.clock.now(),
    });
    expect(payload).toMatchObject({ sub: sides.subjectId, tag: sides.tag, consent_id: claim.id, exp: data.expiresAt });
    expect(decodeProtectedHeader(data.token).kid).toBeDefined();
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(DAY_MS / 1000);
    expect(server.logged).not.toContain(data.token);
  });

  it('by the owner’s application is published to the one that asked', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    const [event, ...more] = await eventsFor(server, sides.requester);
    expect(event).toMatchObject({ event: 'CONSENT_APPROVED', reference: claim.id, data: { state: 'APPROVED' } });
    expect(event?.data).toMatchObject({ consentToken: '', approvalUrl: '' });
    expect(more).toEqual([]);
    expect(await eventsFor(server, sides.owner)).toHaveLength(1);
  });

  it('by the application that asked, once the owner consented in person, is published to the owner’s', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    const answer = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect(answer.statusCode).toBe(200);
    const names = (await eventsFor(server, sides.owner)).map(({ event }) => event);
    expect(names).toEqual(['CONSENT_REQUESTED', 'CONSENT_APPROVED']);
    expect(await eventsFor(server, sides.requester)).toMatchObject([{ event: 'CONSENT_CONFIRMED' }]);
  });

  it('is possible for a customer’s PayTag only after the customer consented in person', async () => {
    const sides = await newSides(server);
    const person = newPerson();
    await createPayTag(server, await server.newPartner(), person);
    const claim = await newClaim(server, { ...sides, tag: person.paytag });
    const tooSoon = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect(tooSoon.json().errorCode).toBe('OWNER_CONSENT_REQUIRED');
    await consentInPerson(server, claim);
    const answer = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect(answer.json().data).toMatchObject({ tag: person.paytag, consentId: claim.id });
  });

  it('needs no consent in person when both sides are one application', async () => {
    const { owner } = await newSides(server);
    const tag = await newTag(server, owner);
    const asked = await askForClaim(server, owner, tag, { subjectId: await newSubject(server, owner) });
    const answer = await answerConsent(server, owner, asked.json().data.consentToken, 'approve');
    expect(answer.statusCode).toBe(200);
  });

  it('answers again under one Idempotency-Key, so that an attestation whose answer was lost is not', async () => {
    const sides = await newSides(server);
    const { consentToken } = await newClaim(server, sides);
    const headers = { ...sides.owner.headers, 'idempotency-key': 'approve' };
    const approve = () => server.call('POST', `/api/v1/consent/${consentToken}/approve`, { headers });
    const first = await approve();
    const again = await approve();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toBe(first.body);
  });

  it('409: approves exactly once when fifty ask at once, from both sides', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        answerConsent(server, index % 2 === 0 ? sides.owner : sides.requester, claim.consentToken, 'approve'),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused).toHaveLength(49);
    for (const answer of refused) expect(answer.json()).toMatchObject({ errorCode: 'CONSENT_NOT_PENDING', data: null });
    const events = [...(await eventsFor(server, sides.owner)), ...(await eventsFor(server, sides.requester))];
    expect(events.filter(({ event }) => event === 'CONSENT_APPROVED')).toHaveLength(1);
  });

  it('410: refuses when it has expired, whether or not the owner had consented', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    const later = await after(server, DAY_MS, sides);
    for (const application of [later.owner, later.requester]) {
      const answer = await answerConsent(server, application, claim.consentToken, 'approve');
      expect(refusalOf(answer)).toEqual([410, 'CONSENT_EXPIRED']);
    }
  });
});

describe('POST /consent/{consentToken}/reject', () => {
  it('rejects, and notifies the application that asked', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await answerConsent(server, sides.owner, claim.consentToken, 'reject');
    expect(answer.json().data).toMatchObject({ id: claim.id, state: 'REJECTED' });
    expect(answer.body).not.toContain(claim.consentToken);
    expect(await eventsFor(server, sides.requester)).toMatchObject([
      { event: 'CONSENT_REJECTED', reference: claim.id, data: { state: 'REJECTED' } },
    ]);
  });

  describe('409 and 410', () => {
    it('refuses twice, and late', async () => {
      const sides = await newSides(server);
      const claim = await newClaim(server, sides);
      await answerConsent(server, sides.owner, claim.consentToken, 'reject');
      expect(refusalOf(await answerConsent(server, sides.owner, claim.consentToken, 'reject'))).toEqual([
        409,
        'CONSENT_NOT_PENDING',
      ]);
      const next = await newClaim(server, sides);
      const { owner } = await after(server, DAY_MS, sides);
      expect(refusalOf(await answerConsent(server, owner, next.consentToken, 'reject'))).toEqual([
        410,
        'CONSENT_EXPIRED',
      ]);
    });
  });
});
