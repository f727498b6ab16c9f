import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { after, answerConsent, DAY_MS, endClaim, eventsFor, newClaim, newSides } from '../../support/claims.ts';
import { newTag } from '../../support/tags.ts';

const server = useApp();

describe('200', () => {
  it('withdraws the claim, and notifies the owner’s application', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await endClaim(server, sides.requester, claim, 'cancel');
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toMatchObject({ id: claim.id, state: 'CANCELLED' });
    expect(answer.body).not.toContain(claim.consentToken);
    expect((await eventsFor(server, sides.owner)).at(-1)).toMatchObject({
      event: 'CONSENT_CANCELLED',
      reference: claim.id,
      data: { state: 'CANCELLED' },
    });
  });
});

describe('409', () => {
  it('refuses a claim that is approved, and an expired one', async () => {
    const sides = await newSides(server);
    const approved = await newClaim(server, sides);
    await answerConsent(server, sides.owner, approved.consentToken, 'approve');
    const late = await newClaim(server, { ...sides, tag: await newTag(server, sides.owner) });
    const answers = [await endClaim(server, sides.requester, approved, 'cancel')];
    const { requester } = await after(server, DAY_MS, sides);
    answers.push(await endClaim(server, requester, late, 'cancel'));
    for (const answer of answers) {
      expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'CLAIM_NOT_PENDING']);
    }
  });
});
