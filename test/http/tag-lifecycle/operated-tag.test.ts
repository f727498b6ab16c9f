import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { answerConsent, askForClaim, endClaim, eventsFor, newClaim, newSides } from '../../support/claims.ts';
import { logIn, newCustomer } from '../../support/onboarding.ts';
import { moveTag, newSubject } from '../../support/tags.ts';

const server = useSharedApp();

describe('a suspended tag', () => {
  it('agrees to nothing: no claim is asked for, approved or attested, and what is there can be left', async () => {
    const sides = await newSides(server);
    const { owner, requester, tag } = sides;
    const approved = await newClaim(server, sides);
    await answerConsent(server, owner, approved.consentToken, 'approve');
    const pending = await newClaim(server, { ...sides, subjectId: await newSubject(server, requester) });
    await moveTag(server, tag, 'suspend');
    const refused = [
      await askForClaim(server, requester, tag, { subjectId: await newSubject(server, requester) }),
      await answerConsent(server, owner, pending.consentToken, 'approve'),
      await server.call('GET', `/api/v1/tags/${tag}/claims/${approved.id}/attestation`, { headers: requester.headers }),
    ];
    for (const answer of refused) {
      expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'TAG_SUSPENDED']);
    }
    expect((await endClaim(server, requester, pending, 'cancel')).statusCode).toBe(200);
    expect((await endClaim(server, owner, approved, 'revoke')).statusCode).toBe(200);
  });

  it('that is a PayTag lets its owner log in; a closed one is unknown', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    await moveTag(server, paytag, 'suspend');
    expect((await logIn(server, partner, paytag)).statusCode).toBe(200);
    await moveTag(server, paytag, 'close');
    expect((await logIn(server, partner, paytag)).json().errorCode).toBe('PAYTAG_NOT_FOUND');
  });
});

it('closing ends the claims on a tag, and notifies both sides', async () => {
  const sides = await newSides(server);
  const approved = await newClaim(server, sides);
  await answerConsent(server, sides.owner, approved.consentToken, 'approve');
  const pending = await newClaim(server, { ...sides, subjectId: await newSubject(server, sides.requester) });
  await moveTag(server, sides.tag, 'close');
  for (const side of [sides.owner, sides.requester]) {
    expect((await eventsFor(server, side)).slice(-2)).toMatchObject([
      { event: 'CONSENT_REVOKED', reference: approved.id },
      { event: 'CONSENT_REJECTED', reference: pending.id },
    ]);
  }
});

it('suspend and close, fifty at once: each takes effect at most once, and says what was there before it', async () => {
  const { tag } = await newSides(server);
  const fifty = Array.from({ length: 25 }, () => ['suspend', 'close'] as const).flat();
  const answers = await Promise.all(fifty.map((what) => moveTag(server, tag, what)));
  for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode);
  const { id } = (await server.operate('GET', `/tags/${tag}`)).json();
  const changes = (await auditOf(server, id)).map(({ before, after }) => [before?.['status'], after?.['status']]);
  expect([
    [['ACTIVE', 'CLOSED']],
    [
      ['ACTIVE', 'SUSPENDED'],
      ['SUSPENDED', 'CLOSED'],
    ],
  ]).toContainEqual(changes);
});

it('its owner’s application closes no tag that is suspended at that moment', async () => {
  for (let round = 0; round < 10; round++) {
    const { owner, tag } = await newSides(server);
    const [suspended, closed] = await Promise.all([
      moveTag(server, tag, 'suspend'),
      server.call('DELETE', `/api/v1/tags/${tag}`, { headers: owner.headers }),
    ]);
    expect([suspended.statusCode, closed.statusCode].filter((status) => status === 200)).toHaveLength(1);
  }
});
