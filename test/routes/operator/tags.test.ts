import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { answerConsent, askForClaim, endClaim, eventsFor, newClaim, newSides } from '../../support/claims.ts';
import { logIn, newCustomer } from '../../support/onboarding.ts';
import { newSubject } from '../../support/tags.ts';

const server = useApp();
const move = (tag: string, what: 'suspend' | 'restore' | 'close') =>
  server.operate('POST', `/tags/${tag}/${what}`, { reason: `to ${what} it` });

describe('GET /operator/v1/tags/{tag}', () => {
  it('200: whose tag it is and how it stands, also when it is closed', async () => {
    const { owner, tag } = await newSides(server);
    const shown = (await server.operate('GET', `/tags/${tag}`)).json();
    expect(shown).toMatchObject({ tagString: tag, status: 'ACTIVE', ownerApplicationId: owner.applicationId });
    await move(tag, 'close');
    const closed = (await server.operate('GET', `/tags/@${tag}`)).json();
    expect(closed).toMatchObject({ id: shown.id, status: 'CLOSED', closedAt: expect.any(String) });
    expect(Date.parse(closed.availableFrom) - Date.parse(closed.closedAt)).toBe(90 * 24 * 60 * 60 * 1000);
  });

  it('404: a tag nobody has', async () => {
    expect((await server.operate('GET', '/tags/nobody-here')).json().errorCode).toBe('TAG_NOT_FOUND');
  });
});

describe('POST /operator/v1/tags/{tag}/suspend, /restore, /close', () => {
  it('200: each is in the audit log, with its reason', async () => {
    const { tag } = await newSides(server);
    for (const [what, status] of [
      ['suspend', 'SUSPENDED'],
      ['restore', 'ACTIVE'],
      ['close', 'CLOSED'],
    ] as const) {
      const answer = await move(tag, what);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ tagString: tag, status });
    }
    const { id } = (await server.operate('GET', `/tags/${tag}`)).json();
    const log = await auditOf(server, id);
    expect(
      log.map(({ action, before, after, reason }) => [action, before?.['status'], after?.['status'], reason]),
    ).toEqual([
      ['tag.suspend', 'ACTIVE', 'SUSPENDED', 'to suspend it'],
      ['tag.restore', 'SUSPENDED', 'ACTIVE', 'to restore it'],
      ['tag.close', 'ACTIVE', 'CLOSED', 'to close it'],
    ]);
  });

  it.each([
    [[], 'restore'],
    [['suspend'], 'suspend'],
    [['close'], 'suspend'],
    [['close'], 'restore'],
    [['close'], 'close'],
  ] as const)('409: after %j, %s leads nowhere', async (before, refused) => {
    const { tag } = await newSides(server);
    for (const what of before) await move(tag, what);
    const answer = await move(tag, refused);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'TAG_STATUS_CONFLICT']);
  });

  it('400 and 404: without a reason, and without a tag', async () => {
    const { tag } = await newSides(server);
    for (const what of ['suspend', 'restore', 'close']) {
      expect((await server.operate('POST', `/tags/${tag}/${what}`, {})).statusCode).toBe(400);
      expect((await server.operate('POST', `/tags/nobody-here/${what}`, { reason: 'x' })).statusCode).toBe(404);
    }
  });

  it('401: without the operator’s token', async () => {
    for (const what of ['suspend', 'restore', 'close']) {
      const answer = await server.call('POST', `/operator/v1/tags/ada/${what}`, { payload: { reason: 'x' } });
      expect(answer.statusCode).toBe(401);
    }
  });

  it('suspend and close, fifty at once: each takes effect once', async () => {
    const { tag } = await newSides(server);
    const fifty = Array.from({ length: 25 }, () => ['suspend', 'close'] as const).flat();
    const answers = await Promise.all(fifty.map((what) => move(tag, what)));
    const { id } = (await server.operate('GET', `/tags/${tag}`)).json();
    const closed = (await auditOf(server, id)).filter(({ action }) => action === 'tag.close');
    expect(closed).toHaveLength(1);
    for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode);
  });
});

describe('a suspended tag', () => {
  it('agrees to nothing: no claim is asked for, approved or attested, and what is there can be left', async () => {
    const sides = await newSides(server);
    const { owner, requester, tag } = sides;
    const approved = await newClaim(server, sides);
    await answerConsent(server, owner, approved.consentToken, 'approve');
    const pending = await newClaim(server, { ...sides, subjectId: await newSubject(server, requester) });
    await move(tag, 'suspend');
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

  it('that is a PayTag lets its owner log in; a closed one is nobody’s', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    await move(paytag, 'suspend');
    expect((await logIn(server, partner, paytag)).statusCode).toBe(200);
    await move(paytag, 'close');
    expect((await logIn(server, partner, paytag)).json().errorCode).toBe('PAYTAG_NOT_FOUND');
  });
});

it('closing ends the claims on a tag, and tells both sides', async () => {
  const sides = await newSides(server);
  const approved = await newClaim(server, sides);
  await answerConsent(server, sides.owner, approved.consentToken, 'approve');
  const pending = await newClaim(server, { ...sides, subjectId: await newSubject(server, sides.requester) });
  await move(sides.tag, 'close');
  for (const side of [sides.owner, sides.requester]) {
    expect((await eventsFor(server, side)).slice(-2)).toMatchObject([
      { event: 'CONSENT_REVOKED', reference: approved.id },
      { event: 'CONSENT_REJECTED', reference: pending.id },
    ]);
  }
});
