import { afterEach, describe, expect, it, vi } from 'vitest';
import { AddressRefused, MessagingProviderDown } from '../../../src/providers/messaging/port.ts';
import { useApp } from '../../support/app.ts';
import {
  federate,
  newEnds,
  newLink,
  refusal,
  remove,
  seeFederation,
  verifyRightly,
} from '../../support/federations.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';

const server = useApp();
afterEach(() => vi.restoreAllMocks());

const spiedMessages = () => vi.spyOn(server.resources.messaging, 'sendOtp');

const newPayTag = async () => {
  const person = newPerson();
  await createPayTag(server, await server.newPartner(), person);
  return person;
};

describe('400', () => {
  it('says that a customer cannot be sent a code, and leaves nothing behind', async () => {
    const { primary } = await newEnds(server);
    const { paytag: secondaryTag } = await newPayTag();
    spiedMessages().mockRejectedValueOnce(new AddressRefused('there is nobody'));
    const refused = await federate(server, primary, primary.tag, { secondaryTag, verificationMethod: 'OTP' });
    expect(refusal(refused)).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
    const consent = { secondaryTag, verificationMethod: 'CONSENT' };
    expect((await federate(server, primary, primary.tag, consent)).statusCode).toBe(200);
  });
});

describe('409', () => {
  it('holds one open link between two tags, in either direction, pending or verified', async () => {
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
});

describe('429', () => {
  it('challenges the application of one tag a hundred times a day, however often each is taken back', async () => {
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

  it('sends a customer ten codes a day from one application, and does not count what was refused', async () => {
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
});

describe('502', () => {
  it('leaves nothing behind when the code could not be sent: the same request may be sent again', async () => {
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
