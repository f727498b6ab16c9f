import { afterEach, describe, expect, it, vi } from 'vitest';
import { AddressRefused, MessagingProviderDown } from '../../../src/providers/messaging/port.ts';
import { useApp } from '../../support/app.ts';
import {
  eventsFor,
  federate,
  LINK_MS,
  later,
  linkEventNames,
  METHODS,
  newEnds,
  newLink,
  refusal,
  reject,
  remove,
  seeFederation,
  verifyRightly,
} from '../../support/claims.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { setTagStatus } from '../../support/switch.ts';
import { newTag } from '../../support/tags.ts';

const server = useApp();

const spiedMessages = () => vi.spyOn(server.resources.messaging, 'sendOtp');

const newPayTag = async () => {
  const person = newPerson();
  await createPayTag(server, await server.newPartner(), person);
  return person;
};

describe('POST /tags/{tag}/federation', () => {
  afterEach(() => vi.restoreAllMocks());

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

describe('POST /tags/{tag}/federation', () => {
  afterEach(() => vi.restoreAllMocks());

  it('400: says that a customer cannot be sent a code, and leaves nothing behind', async () => {
    const { primary } = await newEnds(server);
    const { paytag: secondaryTag } = await newPayTag();
    spiedMessages().mockRejectedValueOnce(new AddressRefused('there is nobody'));
    const refused = await federate(server, primary, primary.tag, { secondaryTag, verificationMethod: 'OTP' });
    expect(refusal(refused)).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
    const consent = { secondaryTag, verificationMethod: 'CONSENT' };
    expect((await federate(server, primary, primary.tag, consent)).statusCode).toBe(200);
  });

  it('409: holds one open link between two tags, in either direction, pending or verified', async () => {
    const ends = await newEnds(server);
    const { primary, secondary } = ends;
    const there = () =>
      federate(server, primary, primary.tag, { secondaryTag: secondary.tag, verificationMethod: 'OTP' });
    const back = () =>
      federate(server, secondary, secondary.tag, { secondaryTag: primary.tag, verificationMethod: 'CONSENT' });
    const link = await newLink(server, ends);
    for (const again of [there, back]) expect(refusal(await again())).toEqual([409, 'LINK_EXISTS']);
    await verifyRightly(server, ends, link, 'OTP');
    for (const again of [there, back]) expect(refusal(await again())).toEqual([409, 'LINK_EXISTS']);
    expect(refusal(await seeFederation(server, secondary, secondary.tag))).toEqual([404, 'FEDERATION_NOT_FOUND']);
  });

  it('429: challenges the application of one tag a hundred times a day, however often each is taken back', async () => {
    const { primary, secondary, stranger } = await newEnds(server);
    for (let count = 0; count < 100; count += 1) {
      await remove(server, primary, await newLink(server, { primary, secondary, stranger }, 'CONSENT'));
    }
    const asked = { secondaryTag: secondary.tag, verificationMethod: 'CONSENT' };
    const refused = await federate(server, primary, primary.tag, asked);
    expect(refusal(refused)).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await federate(server, stranger, stranger.tag, asked)).statusCode).toBe(200);
  });

  it('429: sends a customer ten codes a day from one application, and does not count what was refused', async () => {
    const { primary, stranger } = await newEnds(server);
    const { paytag: secondaryTag } = await newPayTag();
    const sent = spiedMessages();
    const asked = { secondaryTag, verificationMethod: 'OTP' };
    const start = () => federate(server, primary, primary.tag, asked);
    const startAndTakeBack = async (refusedMeanwhile: number) => {
      const answer = await start();
      expect(answer.statusCode).toBe(200);
      for (let count = 0; count < refusedMeanwhile; count += 1) {
        expect(refusal(await start())).toEqual([409, 'LINK_EXISTS']);
      }
      const { primaryTag, links } = answer.json().data;
      await remove(server, primary, { primaryTag, id: links[0].id });
    };
    await startAndTakeBack(12);
    for (let count = 1; count < 10; count += 1) await startAndTakeBack(0);
    const refused = await start();
    expect(refusal(refused)).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(sent).toHaveBeenCalledTimes(10);
    expect((await federate(server, stranger, stranger.tag, asked)).statusCode).toBe(200);
  });

  it('502: leaves nothing behind when the code could not be sent: the same request may be sent again', async () => {
    const { primary } = await newEnds(server);
    const { paytag: secondaryTag } = await newPayTag();
    const asked = { secondaryTag, verificationMethod: 'OTP' };
    spiedMessages().mockRejectedValueOnce(new MessagingProviderDown('status 503'));
    const refused = await federate(server, primary, primary.tag, asked);
    expect(refusal(refused)).toEqual([502, 'MESSAGING_PROVIDER_UNAVAILABLE']);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refusal(await seeFederation(server, primary, primary.tag))).toEqual([404, 'FEDERATION_NOT_FOUND']);
    expect((await federate(server, primary, primary.tag, asked)).statusCode).toBe(200);
  });
});

describe('GET /tags/{tag}/federation', () => {
  it('shows the primary side every link, the other side its own, newest first', async () => {
    const ends = await newEnds(server);
    const { primary, secondary, stranger } = ends;
    const first = await newLink(server, ends);
    await verifyRightly(server, ends, first, 'OTP');
    const second = await newLink(server, { ...ends, secondary: stranger }, 'CONSENT');
    const all = await seeFederation(server, primary, primary.tag);
    expect(all.statusCode).toBe(200);
    expect(all.headers['cache-control']).toBe('no-store');
    expect(all.json().data).toEqual({
      id: expect.any(String),
      primaryTag: primary.tag,
      links: [
        { id: second.id, linkedTag: stranger.tag, status: 'PENDING', createdAt: second.createdAt },
        {
          id: first.id,
          linkedTag: secondary.tag,
          status: 'VERIFIED',
          verifiedBy: `OTP:${primary.namespace}`,
          createdAt: first.createdAt,
        },
      ],
      createdAt: first.createdAt,
    });
    for (const [who, id] of [
      [secondary, first.id],
      [stranger, second.id],
    ] as const) {
      const { data } = (await seeFederation(server, who, `@${primary.tag}`)).json();
      expect(data).toMatchObject({ id: all.json().data.id, primaryTag: primary.tag });
      expect(data.links.map((link: { id: string }) => link.id)).toEqual([id]);
    }
  });

  it('stays out of what the public resolves', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    await verifyRightly(server, ends, link, 'OTP');
    for (const { tag } of [ends.primary, ends.secondary]) {
      const { body } = await server.call('GET', `/api/v1/tags/${tag}`);
      expect(body).not.toContain(link.id);
    }
    expect((await server.call('GET', `/api/v1/tags/${ends.primary.tag}`)).body).not.toContain(ends.secondary.tag);
  });

  it('404: shows a stranger nothing, whether or not there is something', async () => {
    const ends = await newEnds(server);
    const before = await seeFederation(server, ends.stranger, ends.primary.tag);
    await newLink(server, ends);
    const afterwards = await seeFederation(server, ends.stranger, ends.primary.tag);
    for (const answer of [before, afterwards]) expect(refusal(answer)).toEqual([404, 'FEDERATION_NOT_FOUND']);
    expect(afterwards.json().message).toBe(before.json().message);
  });
});

describe('POST /tags/{tag}/federation/{linkId}/reject', () => {
  it.each(METHODS)('rejects a link by %s, and notifies the side that started it', async (method) => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, method);
    const answer = await reject(server, ends.secondary, link);
    expect(answer.statusCode).toBe(200);
    const { id, linkedTag, createdAt } = link;
    expect(answer.json().data).toEqual({ id, linkedTag, status: 'REJECTED', createdAt });
    expect(await linkEventNames(server, ends.primary, link)).toEqual(['FEDERATION_REJECTED']);
    expect(await linkEventNames(server, ends.secondary, link)).toEqual(['FEDERATION_CHALLENGE']);
  });

  it('rejects a link to a tag that is suspended meanwhile', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    await setTagStatus(server, ends.secondary.tag, 'SUSPENDED');
    expect((await reject(server, ends.secondary, link)).statusCode).toBe(200);
  });

  it('410: refuses an expired one', async () => {
    const before = await newEnds(server);
    const link = await newLink(server, before);
    const ends = await later(server, LINK_MS, before);
    expect(refusal(await reject(server, ends.secondary, link))).toEqual([410, 'LINK_EXPIRED']);
  });
});

describe('DELETE /tags/{tag}/federation/{linkId}', () => {
  it.each(['primary', 'secondary'] as const)(
    'ends a verified link from the %s side, and notifies the other',
    async (side) => {
      const ends = await newEnds(server);
      const link = await newLink(server, ends);
      const verified = await verifyRightly(server, ends, link, 'OTP');
      const answer = await remove(server, ends[side], link);
      expect(answer.json().data).toEqual({ ...verified.json().data, status: 'REVOKED' });
      const other = side === 'primary' ? ends.secondary : ends.primary;
      expect((await linkEventNames(server, other, link)).at(-1)).toBe('FEDERATION_REVOKED');
      expect(await linkEventNames(server, ends[side], link)).not.toContain('FEDERATION_REVOKED');
    },
  );

  it.each(METHODS)('withdraws a pending link by %s, and notifies the other side', async (method) => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, method);
    const answer = await remove(server, ends.primary, link);
    expect(answer.json().data).toMatchObject({ id: link.id, status: 'REVOKED' });
    expect(answer.json().data).not.toHaveProperty('verifiedBy');
    expect(await linkEventNames(server, ends.secondary, link)).toEqual(['FEDERATION_CHALLENGE', 'FEDERATION_REVOKED']);
    expect(await linkEventNames(server, ends.primary, link)).toEqual([]);
  });

  it('ends a link of a tag that is suspended meanwhile', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    await verifyRightly(server, ends, link, 'OTP');
    await setTagStatus(server, ends.primary.tag, 'SUSPENDED');
    expect((await remove(server, ends.secondary, link)).statusCode).toBe(200);
  });

  it('ends an old link as well as a young one', async () => {
    const before = await newEnds(server);
    const link = await newLink(server, before);
    await verifyRightly(server, before, link, 'OTP');
    const ends = await later(server, 10 * LINK_MS, before);
    expect((await remove(server, ends.secondary, link)).statusCode).toBe(200);
  });

  it('409: ends a verified link once, though fifty ask at once from both sides', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    await verifyRightly(server, ends, link, 'OTP');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => remove(server, index % 2 === 0 ? ends.primary : ends.secondary, link)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200).map(refusal);
    expect(refused).toEqual(Array.from({ length: 49 }, () => [409, 'LINK_ENDED']));
    const events = [
      ...(await linkEventNames(server, ends.primary, link)),
      ...(await linkEventNames(server, ends.secondary, link)),
    ];
    expect(events.filter((event) => event === 'FEDERATION_REVOKED')).toHaveLength(1);
  });

  it('410: refuses an expired one, from either side', async () => {
    const before = await newEnds(server);
    const link = await newLink(server, before);
    const ends = await later(server, LINK_MS, before);
    for (const side of [ends.primary, ends.secondary]) {
      expect(refusal(await remove(server, side, link))).toEqual([410, 'LINK_EXPIRED']);
    }
  });
});
