import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { confirmConsent, declineConsent, openConsentPage, takeProofAttempt } from '#modules/claims';
import { useApp } from '../../support/app.ts';
import {
  after,
  answerConsent,
  claimsSeenBy,
  consentInPerson,
  DAY_MS,
  eventsFor,
  newClaim,
  newSides,
} from '../../support/claims.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';

const server = useApp();

describe('an owner who consents', () => {
  it('leaves the claim pending and notifies the requesting application once, however often they press the button', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await Promise.all(Array.from({ length: 10 }, () => consentInPerson(server, claim)));
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toEqual([claim]);
    expect(await eventsFor(server, sides.requester)).toEqual([
      { event: 'CONSENT_CONFIRMED', reference: claim.id, data: claim },
    ]);
  });

  it('can decline afterwards, until the application has approved', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    await declineConsent(server.resources, claim.consentToken);
    const answer = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'CONSENT_NOT_PENDING']);
  });
});

it('an owner who declines rejects the claim, and both applications are notified', async () => {
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  await declineConsent(server.resources, claim.consentToken);
  expect(await claimsSeenBy(server, sides.owner, sides.tag)).toMatchObject([{ state: 'REJECTED' }]);
  for (const side of [sides.owner, sides.requester]) {
    expect((await eventsFor(server, side)).at(-1)).toMatchObject({ event: 'CONSENT_REJECTED', reference: claim.id });
  }
});

it('nothing can be done in person on a claim that is expired, answered or unknown', async () => {
  const { resources } = server;
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  const allOf = (token: string) => [
    () => confirmConsent(resources, token, 'OTP'),
    () => declineConsent(resources, token),
    () => takeProofAttempt(resources, token),
  ];
  for (const press of allOf('nobody’s')) await expect(press()).rejects.toMatchObject({ code: 'CONSENT_NOT_FOUND' });
  await answerConsent(server, sides.owner, claim.consentToken, 'reject');
  for (const press of allOf(claim.consentToken)) {
    await expect(press()).rejects.toMatchObject({ code: 'CONSENT_NOT_PENDING' });
  }
  const next = await newClaim(server, sides);
  await after(server, DAY_MS, sides);
  for (const press of allOf(next.consentToken)) {
    await expect(press()).rejects.toMatchObject({ code: 'CONSENT_EXPIRED' });
  }
});

it('five proofs may be tried on one consent request, even when fifty come at once, and none after', async () => {
  const { consentToken } = await newClaim(server, await newSides(server));
  const tries = await Promise.allSettled(
    Array.from({ length: 50 }, () => takeProofAttempt(server.resources, consentToken)),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(takeProofAttempt(server.resources, consentToken)).rejects.toMatchObject({
    code: 'CONSENT_ATTEMPTS_EXCEEDED',
    retryAfterS: expect.any(Number),
  });
});

it('a page learns whether the tag belongs to a customer or to a user of an application', async () => {
  const sides = await newSides(server);
  const person = newPerson();
  await createPayTag(server, await server.newPartner(), person);
  const [ours, theirs] = [await newClaim(server, { ...sides, tag: person.paytag }), await newClaim(server, sides)];
  const customer = await openConsentPage(server.resources, ours.consentToken);
  expect(customer.owner).toMatchObject({ isCustomer: true });
  const tag = (await server.call('GET', `/api/v1/tags/${person.paytag}`)).json().data;
  expect(tag.canonicalOwner).toMatchObject({ id: customer.owner.subjectId, applicationId: payTagApplicationId });
  expect((await openConsentPage(server.resources, theirs.consentToken)).owner.isCustomer).toBe(false);
});
