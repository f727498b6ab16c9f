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

  it('says so when there are more claims than it shows, and shows the newest', async () => {
    const sides = await newSides(server);
    const newest = await newClaim(server, sides);
    const addOlder = (count: number) =>
      server.owner.query(
        `insert into claims.claim (id, tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at, requested_at, updated_at)
         select uuidv7(make_interval(days => -i)), tag_id, subject_id, requested_by_app_id, 'REJECTED', sha256(uuidv7()::text::bytea),
             token_expires_at - make_interval(days => i), requested_at - make_interval(days => i), updated_at
           from claims.claim, generate_series(1, $2::int) i where id = $1`,
        [newest.id, count],
      );
    const seen = async ({ headers }: typeof sides.owner) =>
      (await server.call('GET', `/api/v1/tags/${sides.tag}/claims`, { headers })).json();
    await addOlder(999);
    for (const application of [sides.owner, sides.requester]) {
      expect(await seen(application)).toMatchObject({ message: 'claims of the tag', data: { length: 1_000 } });
    }
    await addOlder(1);
    for (const application of [sides.owner, sides.requester]) {
      const { message, data } = await seen(application);
      expect(message).toBe('claims of the tag, newest first: there are more');
      expect(data).toHaveLength(1_000);
      expect(data[0]).toMatchObject({ id: newest.id });
    }
  });
});
