import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import { after, answerConsent, DAY_MS, newClaim, newSides, type TestClaim } from '../../support/claims.ts';

const server = useApp();
const ask = ({ headers }: TestApplication, { tagString, id }: TestClaim) =>
  server.call('GET', `/api/v1/tags/${tagString}/claims/${id}/attestation`, { headers });

const approvedClaim = async () => {
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  await answerConsent(server, sides.owner, claim.consentToken, 'approve');
  return { sides, claim };
};

describe('200', () => {
  it('answers the application that asked a fresh one, whoever approved, also when the first has expired', async () => {
    const { sides, claim } = await approvedClaim();
    const later = await after(server, 2 * DAY_MS, sides);
    const answer = await ask(later.requester, claim);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data } = answer.json();
    expect(data).toMatchObject({
      token: expect.any(String),
      tag: sides.tag,
      subjectId: sides.subjectId,
      consentId: claim.id,
    });
    expect(data.expiresAt * 1000).toBeGreaterThan(server.clock.now().getTime());
  });
});
