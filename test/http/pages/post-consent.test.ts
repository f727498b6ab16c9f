import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { answerConsent, claimsSeenBy, eventsFor, newClaim } from '../../support/claims.ts';
import {
  answerByCode,
  answerByPassword,
  askForCode,
  customerWithPendingClaim,
  openPage,
  pathOf,
  sealOf,
  subjectWithRequester,
} from '../../support/consent-page.ts';
import { OTP, PASSWORD } from '../../support/onboarding.ts';

const server = useApp();

describe('303', () => {
  it('records an approval, notifies the application, and redirects to the status page', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    const answer = await answerByPassword(server, claim, { paytag: `@${claim.tagString.toUpperCase()}` });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, pathOf(claim)]);
    expect(await eventsFor(server, requester)).toEqual([
      { event: 'CONSENT_CONFIRMED', reference: claim.id, data: claim },
    ]);
    expect((await openPage(server, claim)).body).toContain('is approved');
    const fetched = await answerConsent(server, requester, claim.consentToken, 'approve');
    expect([fetched.statusCode, fetched.json().data.consentId]).toEqual([200, claim.id]);
    for (const secret of [PASSWORD, claim.consentToken]) expect(server.logged).not.toContain(secret);
  });

  it('accepts a decline, even after an approval, until the application has fetched the approval', async () => {
    const { claim, requester, tag } = await customerWithPendingClaim(server);
    await answerByPassword(server, claim);
    expect((await answerByPassword(server, claim, { answer: 'decline' })).statusCode).toBe(303);
    expect(await claimsSeenBy(server, requester, tag)).toMatchObject([{ state: 'REJECTED' }]);
    expect((await eventsFor(server, requester)).map(({ event }) => event)).toEqual([
      'CONSENT_CONFIRMED',
      'CONSENT_REJECTED',
    ]);
  });

  it('accepts the customer’s code, with any spacing', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    await askForCode(server, claim);
    expect((await answerByCode(server, claim, ' 123 456 ')).statusCode).toBe(303);
    expect(await eventsFor(server, requester)).toHaveLength(1);
  });

  it('accepts the code that was mailed to the owner of an application’s tag', async () => {
    const sides = await subjectWithRequester(server, { email: 'owner@example.com' });
    const claim = await newClaim(server, sides);
    await askForCode(server, claim, 'email');
    expect((await answerByCode(server, claim, OTP)).statusCode).toBe(303);
    expect(await eventsFor(server, sides.requester)).toHaveLength(1);
  });
});

it('exactly one of fifty concurrent approvals is recorded and published', async () => {
  const { claim, requester } = await customerWithPendingClaim(server);
  const form = await sealOf(server, claim);
  const answers = await Promise.all(Array.from({ length: 50 }, () => answerByPassword(server, claim, { form })));
  expect(answers.some(({ statusCode }) => statusCode === 303)).toBe(true);
  for (const { statusCode } of answers) expect([303, 409, 429]).toContain(statusCode);
  expect((await eventsFor(server, requester)).map(({ event }) => event)).toEqual(['CONSENT_CONFIRMED']);
});

it('exactly one of fifty concurrent answers with one code is accepted', async () => {
  const { claim, requester } = await customerWithPendingClaim(server);
  await askForCode(server, claim);
  const answers = await Promise.all(Array.from({ length: 50 }, () => answerByCode(server, claim, OTP)));
  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
  expect((await eventsFor(server, requester)).map(({ event }) => event)).toEqual(['CONSENT_CONFIRMED']);
});
