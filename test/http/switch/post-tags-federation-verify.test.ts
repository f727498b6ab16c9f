import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { eventsFor } from '../../support/claims.ts';
import {
  codeFor,
  federate,
  linkEventNames,
  newEnds,
  newLink,
  otherThan,
  refusal,
  seeFederation,
  verify,
  verifyRightly,
} from '../../support/federations.ts';
import { createPayTag, newPerson, OTP } from '../../support/onboarding.ts';

const server = useSharedApp();

describe('200', () => {
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
