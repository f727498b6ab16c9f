import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { after, answerConsent, DAY_MS, endClaim, eventsFor, newClaim, newSides } from '../../support/claims.ts';

const server = useApp();

const approvedClaim = async () => {
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  await answerConsent(server, sides.owner, claim.consentToken, 'approve');
  return { sides, claim };
};

describe('200', () => {
  it.each([
    ['owner', 'requester'],
    ['requester', 'owner'],
  ] as const)('by the %s ends the claim and notifies the %s', async (by, other) => {
    const { sides, claim } = await approvedClaim();
    const answer = await endClaim(server, sides[by], claim, 'revoke');
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toMatchObject({
      id: claim.id,
      state: 'REVOKED',
      approvedAt: expect.any(String),
      revokedAt: expect.any(String),
    });
    expect((await eventsFor(server, sides[other])).at(-1)).toMatchObject({
      event: 'CONSENT_REVOKED',
      reference: claim.id,
    });
    expect((await eventsFor(server, sides[by])).at(-1)?.event).not.toBe('CONSENT_REVOKED');
  });

  it('makes room for another claim, and is possible long after the consent token has expired', async () => {
    const { sides, claim } = await approvedClaim();
    const later = await after(server, 2 * DAY_MS, sides);
    expect((await endClaim(server, later.owner, claim, 'revoke')).statusCode).toBe(200);
    expect((await newClaim(server, later)).state).toBe('PENDING');
  });
});
