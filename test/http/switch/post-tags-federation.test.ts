import { afterEach, describe, expect, it, vi } from 'vitest';
import { MessagingProviderDown } from '../../../src/providers/messaging/port.ts';
import { useApp } from '../../support/app.ts';
import { eventsFor } from '../../support/claims.ts';
import {
  federate,
  LINK_MS,
  later,
  linkEventNames,
  newEnds,
  newLink,
  reject,
  remove,
  verifyRightly,
} from '../../support/federations.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { newTag } from '../../support/tags.ts';

const server = useApp();
afterEach(() => vi.restoreAllMocks());

const spiedMessages = () => vi.spyOn(server.resources.messaging, 'sendOtp');

const newPayTag = async () => {
  const person = newPerson();
  await createPayTag(server, await server.newPartner(), person);
  return person;
};

describe('200', () => {
  it('answers the federation with the pending link, and never its code', async () => {
    const { primary, secondary } = await newEnds(server);
    const answer = await federate(server, primary, primary.tag, {
      secondaryTag: secondary.tag,
      verificationMethod: 'OTP',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json().data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      primaryTag: primary.tag,
      links: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          linkedTag: secondary.tag,
          status: 'PENDING',
          createdAt: expect.any(String),
        },
      ],
      createdAt: expect.any(String),
    });
    const [challenge] = await eventsFor(server, secondary);
    expect(challenge?.data['token']).toMatch(/^\d{12}$/);
    expect(answer.body).not.toContain(challenge?.data['token']);
    expect(await eventsFor(server, primary)).toEqual([]);
    expect(server.logged).not.toContain(challenge?.data['token']);
  });

  it('sends the challenge to the application of the other tag alone', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    expect(await eventsFor(server, ends.secondary)).toEqual([
      {
        event: 'FEDERATION_CHALLENGE',
        reference: link.id,
        data: {
          linkId: link.id,
          primaryTag: ends.primary.tag,
          secondaryTag: ends.secondary.tag,
          verificationMethod: 'OTP',
          token: expect.any(String),
          expiresAt: new Date(Date.parse(link.createdAt) + LINK_MS).toISOString(),
        },
      },
    ]);
    for (const one of [ends.primary, ends.stranger]) expect(await eventsFor(server, one)).toEqual([]);
  });

  it.each(['CONSENT', 'ATTESTATION'] as const)('puts no code into the challenge of %s', async (method) => {
    const ends = await newEnds(server);
    await newLink(server, ends, method);
    const [challenge] = await eventsFor(server, ends.secondary);
    expect(challenge?.data).toMatchObject({ verificationMethod: method, token: '' });
  });

  it.each([
    ['otp', 'OTP'],
    ['SMS', 'OTP'],
    ['email', 'OTP'],
    ['Email_Otp', 'OTP'],
    ['SMS_OTP', 'OTP'],
    ['consent', 'CONSENT'],
    [' Attestation ', 'ATTESTATION'],
  ])('takes %s for %s', async (verificationMethod, meant) => {
    const { primary, secondary } = await newEnds(server);
    await federate(server, primary, primary.tag, { secondaryTag: secondary.tag, verificationMethod });
    expect(await eventsFor(server, secondary)).toMatchObject([{ data: { verificationMethod: meant } }]);
  });

  it('gathers the links of a tag under one federation, newest first, and takes either address in any form', async () => {
    const { primary, secondary } = await newEnds(server);
    const second = await newTag(server, secondary);
    const first = await federate(server, primary, `@${primary.tag.toUpperCase()}`, {
      secondaryTag: `@${secondary.tag}@${secondary.namespace}`,
      verificationMethod: 'OTP',
    });
    const both = await federate(server, primary, `${primary.tag}@${primary.namespace}`, {
      secondaryTag: second.toUpperCase(),
      verificationMethod: 'CONSENT',
    });
    expect(both.json().data.id).toBe(first.json().data.id);
    expect(both.json().data.links).toMatchObject([{ linkedTag: second }, { linkedTag: secondary.tag }]);
  });

  it('reaches a customer by the contact on record with a code of six digits, and notifies no one else', async () => {
    const { primary } = await newEnds(server);
    const person = await newPayTag();
    const sent = spiedMessages();
    const answer = await federate(server, primary, primary.tag, {
      secondaryTag: person.paytag,
      verificationMethod: 'OTP',
    });
    expect(answer.statusCode).toBe(200);
    expect(sent.mock.calls).toEqual([
      [
        {
          channel: 'sms',
          to: person.phone,
          code: expect.stringMatching(/^\d{6}$/),
          about: `link your PayTag to ${primary.tag}@${primary.namespace}`,
        },
      ],
    ]);
    expect(await eventsFor(server, primary)).toEqual([]);
  });

  it('starts a link when sending its code timed out: it may still arrive', async () => {
    const { primary } = await newEnds(server);
    const { paytag: secondaryTag } = await newPayTag();
    spiedMessages().mockRejectedValueOnce(new MessagingProviderDown('timeout', { mayHaveSent: true }));
    const asked = { secondaryTag, verificationMethod: 'OTP' };
    const answer = await federate(server, primary, primary.tag, asked);
    expect(answer.json().data.links).toMatchObject([{ linkedTag: secondaryTag, status: 'PENDING' }]);
  });

  it('sends a customer no code where consent is asked for', async () => {
    const { primary } = await newEnds(server);
    const sent = spiedMessages();
    const { paytag: secondaryTag } = await newPayTag();
    const asked = { secondaryTag, verificationMethod: 'CONSENT' };
    expect((await federate(server, primary, primary.tag, asked)).statusCode).toBe(200);
    expect(sent).not.toHaveBeenCalled();
  });

  it('links two tags of one application, which is notified once', async () => {
    const { primary } = await newEnds(server);
    const secondaryTag = await newTag(server, primary);
    const answer = await federate(server, primary, primary.tag, { secondaryTag, verificationMethod: 'CONSENT' });
    expect(answer.statusCode).toBe(200);
    expect(await eventsFor(server, primary)).toMatchObject([{ event: 'FEDERATION_CHALLENGE' }]);
  });

  it.each([
    ['rejected', ['FEDERATION_REJECTED']],
    ['taken back', []],
    ['revoked', []],
    ['over', ['FEDERATION_EXPIRED']],
  ])('may be started again once it is %s', async (how, events) => {
    let ends = await newEnds(server);
    const first = await newLink(server, ends);
    if (how === 'rejected') await reject(server, ends.secondary, first);
    if (how === 'revoked') await verifyRightly(server, ends, first, 'OTP');
    if (how === 'revoked' || how === 'taken back') await remove(server, ends.primary, first);
    if (how === 'over') ends = await later(server, LINK_MS, ends);
    const second = await newLink(server, ends);
    expect(second).toMatchObject({ status: 'PENDING' });
    expect(second.id).not.toBe(first.id);
    expect(await linkEventNames(server, ends.primary, first)).toEqual(events);
  });
});
