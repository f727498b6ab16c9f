import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { after, answerConsent, DAY_MS, eventsFor, newClaim, newSides } from '../../support/claims.ts';

const server = useApp();

describe('200', () => {
  it('rejects, and notifies the application that asked', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await answerConsent(server, sides.owner, claim.consentToken, 'reject');
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toMatchObject({ id: claim.id, state: 'REJECTED' });
    expect(answer.body).not.toContain(claim.consentToken);
    expect(await eventsFor(server, sides.requester)).toMatchObject([
      { event: 'CONSENT_REJECTED', reference: claim.id, data: { state: 'REJECTED' } },
    ]);
  });
});

describe('409 and 410', () => {
  it('refuses twice, and late', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'reject');
    const twice = await answerConsent(server, sides.owner, claim.consentToken, 'reject');
    expect([twice.statusCode, twice.json().errorCode]).toEqual([409, 'CONSENT_NOT_PENDING']);
    const next = await newClaim(server, sides);
    const { owner } = await after(server, DAY_MS, sides);
    const late = await answerConsent(server, owner, next.consentToken, 'reject');
    expect([late.statusCode, late.json().errorCode]).toEqual([410, 'CONSENT_EXPIRED']);
  });
});
