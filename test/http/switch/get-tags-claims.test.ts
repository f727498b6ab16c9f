import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { after, answerConsent, claimsSeenBy, DAY_MS, newClaim, newSides } from '../../support/claims.ts';
import { newSubject } from '../../support/tags.ts';

const server = useApp();

describe('200', () => {
  it('shows the owner’s application every claim, another its own, and the rest none', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const theirs = { ...sides, requester: sides.stranger, subjectId: await newSubject(server, sides.stranger) };
    const other = await newClaim(server, theirs);
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toEqual([other, claim]);
    expect(await claimsSeenBy(server, sides.requester, sides.tag)).toEqual([claim]);
    expect(await claimsSeenBy(server, sides.stranger, sides.tag)).toEqual([other]);
    const bystander = await newSides(server);
    expect(await claimsSeenBy(server, bystander.owner, sides.tag)).toEqual([]);
  });

  it('shows the consent token while the claim is pending, and never after', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    for (const application of [sides.owner, sides.requester]) {
      const [seen] = await claimsSeenBy(server, application, sides.tag);
      expect(seen).toMatchObject({ id: claim.id, state: 'APPROVED', approvedAt: expect.any(String) });
      expect(seen).not.toHaveProperty('consentToken');
      expect(seen).not.toHaveProperty('approvalUrl');
    }
  });

  it('shows a claim that nobody answered in time as expired, before anybody marked it', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const later = await after(server, DAY_MS, sides);
    const [seen] = await claimsSeenBy(server, later.requester, sides.tag);
    expect(seen).toMatchObject({ id: claim.id, state: 'EXPIRED' });
    expect(seen).not.toHaveProperty('consentToken');
  });
});

describe('404', () => {
  it.each(['nobody-here', '%2e%2e', '%00', 'ad%D0%B0', '%2540ada'])(
    'knows no tag by the address %s',
    async (address) => {
      const {
        owner: { headers },
      } = await newSides(server);
      const answer = await server.call('GET', `/api/v1/tags/${address}/claims`, { headers });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ success: false, data: null });
    },
  );
});
