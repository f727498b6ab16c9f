import { describe, expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import {
  attested,
  codeFor,
  DAY_MS,
  endClaim,
  eventsFor,
  federate,
  LINK_MS,
  later,
  linkEventNames,
  METHODS,
  newEnds,
  newLink,
  otherThan,
  refusal,
  remove,
  rightProof,
  seeFederation,
  verify,
  verifyRightly,
} from '../../support/claims.ts';
import { createPayTag, newPerson, OTP } from '../../support/onboarding.ts';
import { setTagStatus } from '../../support/switch.ts';
import { newSubject, newTag } from '../../support/tags.ts';

const server = useApp();

describe('POST /tags/{tag}/federation/{linkId}/verify', () => {
  it.each([
    ['OTP', 'primary', 'secondary'],
    ['CONSENT', 'secondary', 'primary'],
    ['ATTESTATION', 'primary', 'secondary'],
  ] as const)('verifies by %s, answers VERIFIED, and notifies the other side', async (method, actor, notified) => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, method);
    const answer = await verifyRightly(server, ends, link, method);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const verifiedBy = `${method}:${ends[actor].namespace}`;
    const { id, linkedTag, createdAt } = link;
    expect(answer.json().data).toEqual({ id, linkedTag, status: 'VERIFIED', verifiedBy, createdAt });
    expect((await eventsFor(server, ends[notified])).at(-1)).toEqual({
      event: 'FEDERATION_VERIFIED',
      reference: link.id,
      data: {
        linkId: link.id,
        primaryTag: ends.primary.tag,
        secondaryTag: ends.secondary.tag,
        verificationMethod: method,
        status: 'VERIFIED',
        verifiedBy: ends[actor].namespace,
      },
    });
    expect(await linkEventNames(server, ends[actor], link)).not.toContain('FEDERATION_VERIFIED');
    expect((await seeFederation(server, ends.primary, ends.primary.tag)).json().data.links).toEqual([
      answer.json().data,
    ]);
  });

  it('takes the code a customer was sent', async () => {
    const { primary } = await newEnds(server);
    const person = newPerson();
    await createPayTag(server, await server.newPartner(), person);
    const asked = { secondaryTag: person.paytag, verificationMethod: 'SMS' };
    const started = await federate(server, primary, primary.tag, asked);
    const link = { primaryTag: primary.tag, id: started.json().data.links[0].id };
    expect(refusal(await verify(server, primary, link, otherThan(OTP)))).toEqual([400, 'OTP_INVALID']);
    const answer = await verify(server, primary, link, OTP);
    expect(answer.json().data).toMatchObject({ status: 'VERIFIED', verifiedBy: `OTP:${primary.namespace}` });
    expect(await eventsFor(server, primary)).toEqual([]);
  });

  it('takes the tag by any of its addresses, encoded or not', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, 'CONSENT');
    const address = `@${ends.primary.tag.toUpperCase()}@${ends.primary.namespace}`;
    const answer = await verify(server, ends.secondary, { ...link, primaryTag: address });
    expect(answer.json().data).toMatchObject({ id: link.id, status: 'VERIFIED' });
  });

  it('takes the right code after four wrong ones', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    const code = await codeFor(server, ends.secondary, link);
    for (let count = 0; count < 4; count += 1) {
      expect(refusal(await verify(server, ends.primary, link, otherThan(code)))).toEqual([400, 'OTP_INVALID']);
    }
    expect((await verify(server, ends.primary, link, code)).statusCode).toBe(200);
  });
});

describe('POST /tags/{tag}/federation/{linkId}/verify', () => {
  const statusSeen = async (ends: Awaited<ReturnType<typeof newEnds>>) =>
    (await seeFederation(server, ends.primary, ends.primary.tag)).json().data.links[0].status;

  it.each([undefined, null, '', '   '])('400: asks for a token, and counts none for %j', async (token) => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    expect(refusal(await verify(server, ends.primary, link, token))).toEqual([400, 'INVALID_PARAMETER']);
    const { rows } = await server.owner.query('select failures from federations.link where id = $1', [link.id]);
    expect(rows).toEqual([{ failures: 0 }]);
  });

  it('400: fails the link at the fifth wrong code, notifies the other side, and no longer accepts the right one', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    const code = await codeFor(server, ends.secondary, link);
    for (let count = 0; count < 5; count += 1) {
      expect(refusal(await verify(server, ends.primary, link, otherThan(code)))).toEqual([400, 'OTP_INVALID']);
    }
    expect(await statusSeen(ends)).toBe('FAILED');
    expect(await linkEventNames(server, ends.secondary, link)).toEqual(['FEDERATION_CHALLENGE', 'FEDERATION_FAILED']);
    expect(await linkEventNames(server, ends.primary, link)).toEqual([]);
    expect(refusal(await verify(server, ends.primary, link, code))).toEqual([409, 'LINK_NOT_PENDING']);
  });

  it('400: checks five of fifty concurrent wrong codes', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    const wrong = otherThan(await codeFor(server, ends.secondary, link));
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(server, ends.primary, link, wrong)));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 409)).toHaveLength(45);
    expect(await statusSeen(ends)).toBe('FAILED');
    expect(
      (await linkEventNames(server, ends.secondary, link)).filter((event) => event === 'FEDERATION_FAILED'),
    ).toHaveLength(1);
  });

  it('400: does not take the code of another link, nor that of an earlier one between the two tags', async () => {
    const ends = await newEnds(server);
    const first = await newLink(server, ends);
    const old = await codeFor(server, ends.secondary, first);
    await remove(server, ends.primary, first);
    const second = await newLink(server, ends);
    const other = { ...ends, secondary: { ...ends.secondary, tag: await newTag(server, ends.secondary) } };
    const foreign = await codeFor(server, ends.secondary, await newLink(server, other));
    for (const code of [old, foreign]) {
      expect(refusal(await verify(server, ends.primary, second, code))).toEqual([400, 'OTP_INVALID']);
    }
  });

  it('400: takes no attestation on another tag, for another application, revoked, expired or malformed', async () => {
    const ends = await newEnds(server);
    const { primary, secondary } = ends;
    const over = await attested(server, primary, secondary);
    const now = await later(server, DAY_MS, ends);
    const link = await newLink(server, now, 'ATTESTATION');
    const refused = async (token: string) => refusal(await verify(server, now.primary, link, token));
    const none = [400, 'ATTESTATION_INVALID'];
    expect(await refused(over.token), 'over, its claim approved').toEqual(none);
    await endClaim(server, now.secondary, over.claim, 'revoke');
    const revoked = await attested(server, now.primary, now.secondary);
    await endClaim(server, now.secondary, revoked.claim, 'revoke');
    expect(await refused(revoked.token), 'of a claim that was revoked').toEqual(none);
    const elsewhere = await attested(server, now.primary, now.stranger);
    expect(await refused(elsewhere.token), 'on another tag').toEqual(none);
    const anothers = await attested(server, now.stranger, now.secondary);
    expect(await refused(anothers.token), 'issued to another application').toEqual(none);
    expect(await refused(now.primary.headers.authorization.replace('Bearer ', ''))).toEqual(none);
    expect(await statusSeen(now)).toBe('FAILED');
  });

  it('400: takes no attestation of what was agreed for another person at the same application', async () => {
    const ends = await newEnds(server);
    const { primary, secondary } = ends;
    const link = await newLink(server, ends, 'ATTESTATION');
    const forAnother = await attested(server, primary, secondary, await newSubject(server, primary));
    expect(refusal(await verify(server, primary, link, forAnother.token))).toEqual([400, 'ATTESTATION_INVALID']);
    const forOwner = await attested(server, primary, secondary);
    expect((await verify(server, primary, link, forOwner.token)).json().data).toMatchObject({ status: 'VERIFIED' });
  });

  it('403: no one else can consent for a customer', async () => {
    const { primary } = await newEnds(server);
    const person = newPerson();
    await createPayTag(server, await server.newPartner(), person);
    const asked = { secondaryTag: person.paytag, verificationMethod: 'CONSENT' };
    const started = await federate(server, primary, primary.tag, asked);
    const link = { primaryTag: primary.tag, id: started.json().data.links[0].id };
    expect(refusal(await verify(server, primary, link))).toEqual([403, 'NOT_PERMITTED']);
  });

  it('404: gives one answer to an unknown link, one of another tag, and one of other applications', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    const code = await codeFor(server, ends.secondary, link);
    const elsewhere = await newTag(server, ends.primary);
    for (const [who, which] of [
      [ends.stranger, link],
      [ends.primary, { ...link, id: '00000000-0000-7000-8000-000000000000' }],
      [ends.primary, { ...link, primaryTag: elsewhere }],
      [ends.primary, { ...link, primaryTag: ends.secondary.tag }],
      [ends.primary, { ...link, primaryTag: encodeURIComponent(`@${ends.primary.tag}`) }],
      [ends.primary, { ...link, primaryTag: `${ends.primary.tag}@${ends.secondary.namespace}` }],
      [ends.primary, { ...link, primaryTag: 'nobody-has-it' }],
    ] as const) {
      expect(refusal(await verify(server, who, which, code))).toEqual([404, 'LINK_NOT_FOUND']);
    }
    expect((await verify(server, ends.primary, link, code)).statusCode).toBe(200);
  });

  it.each(METHODS)('409: verifies by %s exactly once when fifty ask at once', async (method) => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, method);
    const isConsent = method === 'CONSENT';
    const attestation = method === 'ATTESTATION' ? await attested(server, ends.primary, ends.secondary) : undefined;
    const token = attestation?.token ?? (await codeFor(server, ends.secondary, link));
    const [actor, other] = isConsent ? [ends.secondary, ends.primary] : [ends.primary, ends.secondary];
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(server, actor, link, token)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200).map(refusal);
    expect(refused).toEqual(Array.from({ length: 49 }, () => [409, 'LINK_NOT_PENDING']));
    expect((await linkEventNames(server, other, link)).filter((event) => event === 'FEDERATION_VERIFIED')).toHaveLength(
      1,
    );
  });

  it('409: agrees nothing on a suspended tag, and counts no token meanwhile', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    const code = await codeFor(server, ends.secondary, link);
    for (const { tag } of [ends.primary, ends.secondary]) {
      await setTagStatus(server, tag, 'SUSPENDED');
      for (let count = 0; count < 5; count += 1) {
        const answer = await verify(server, ends.primary, link, count === 0 ? code : otherThan(code));
        expect(refusal(answer)).toEqual([409, 'TAG_SUSPENDED']);
      }
      await setTagStatus(server, tag, 'ACTIVE');
    }
    expect((await verify(server, ends.primary, link, code)).statusCode).toBe(200);
  });

  it.each(METHODS)('410: refuses %s when the link has expired, whether or not it was swept', async (method) => {
    const before = await newEnds(server);
    const link = await newLink(server, before, method);
    const ends = await later(server, LINK_MS, before);
    const proveRightly = await rightProof(server, ends, link, method);
    expect(refusal(await proveRightly())).toEqual([410, 'LINK_EXPIRED']);
    expect(await statusSeen(ends)).toBe('EXPIRED');
    await maintain(server.resources);
    expect(refusal(await proveRightly())).toEqual([410, 'LINK_EXPIRED']);
  });
});
