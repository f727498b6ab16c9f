import { beforeEach, describe, expect, it } from 'vitest';
import { dojahBvn } from '../../../src/providers/bvn/dojah.ts';
import { BvnProviderDown } from '../../../src/providers/bvn/port.ts';
import { failureOf, useStandIn } from '../../support/provider.ts';
import { dojah, useless } from '../../support/provider-replies.ts';

const standIn = useStandIn();
const { receiver } = standIn;
const appId = '5f0e1d2c3b4a-app';
const secretKey = 'prod_sk_not_to_be_seen';
const claim = { bvn: '22212345678', firstName: 'Adaobí', lastName: "O'Neil & Sons", dateOfBirth: '1990-05-17' };
const { dateOfBirth: _, ...undated } = claim;
const secrets = [appId, secretKey, claim.bvn, claim.firstName, claim.dateOfBirth, dojah.photo, '08030009999'];
const verify = (given: typeof claim | typeof undated = claim) =>
  dojahBvn(standIn.client, { appId, secretKey }).verify(given);

beforeEach(() => receiver.reset());

describe('the request', () => {
  it('is the documented one: names and date in the query, app and key in the headers, and nothing else', async () => {
    receiver.answer([dojah.validated(claim.bvn)]);
    await verify();
    const [request] = receiver.requests;
    expect(request).toMatchObject({
      method: 'GET',
      path: expect.stringMatching(/^\/api\/v1\/kyc\/bvn\?/),
      headers: { appid: appId, authorization: secretKey, accept: 'application/json' },
      body: Buffer.alloc(0),
    });
    expect(standIn.queries).toEqual([
      { bvn: claim.bvn, first_name: claim.firstName, last_name: claim.lastName, dob: claim.dateOfBirth },
    ]);
  });

  it('sends no date where none was given', async () => {
    receiver.answer([dojah.validated(claim.bvn)]);
    await verify(undated);
    expect(standIn.queries).toEqual([{ bvn: claim.bvn, first_name: claim.firstName, last_name: claim.lastName }]);
  });
});

describe('the verdict', () => {
  it('is all that leaves the adapter: of photo and phone nothing does', async () => {
    receiver.answer([dojah.validated(claim.bvn)]);
    expect(await verify()).toBe('verified');
  });

  it.each(['firstName', 'lastName', 'dob'] as const)('is mismatch when %s is another', async (which) => {
    receiver.answer([dojah.validated(claim.bvn, { [which]: false })]);
    expect(await verify()).toBe('mismatch');
  });

  it('does not depend on a date that was not asked for', async () => {
    receiver.answer([dojah.validated(claim.bvn, { dob: false })]);
    expect(await verify(undated)).toBe('verified');
  });

  it('takes the date under either of its documented names', async () => {
    const match = { status: true };
    const names = { bvn: match, first_name: match, last_name: match };
    receiver.answer([dojah.entity({ ...names, dob: match }), dojah.entity({ ...names, dob: { status: false } })]);
    expect(await verify()).toBe('verified');
    expect(await verify()).toBe('mismatch');
  });

  it.each(['notFound', 'noRecord', 'invalid'] as const)('is not-found on %s', async (reply) => {
    receiver.answer([dojah[reply]]);
    expect(await verify()).toBe('not-found');
  });

  it('is not-found when the number is none', async () => {
    receiver.answer([dojah.validated(claim.bvn, { bvn: false })]);
    expect(await verify()).toBe('not-found');
  });
});

describe('no verdict', () => {
  const match = { status: true };
  it.each([
    ['a name', { bvn: match, first_name: match, date_of_birth: match }],
    ['the date', { bvn: match, first_name: match, last_name: match }],
    ['the number', { first_name: match, last_name: match, date_of_birth: match }],
  ])('is made of an answer that does not speak of %s', async (__, entity) => {
    receiver.answer([dojah.entity(entity)]);
    expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
  });

  it('is made of an answer about somebody else', async () => {
    receiver.answer([dojah.validated('22299999999')]);
    expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
  });

  it.each(['badRequest', 'thirdPartyFailure', 'requestTimeout'] as const)('is made of %s', async (reply) => {
    receiver.answer([dojah[reply]]);
    expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
  });

  it.each([...useless, ['breaks the connection', 'drop'] as const])(
    'is had from a register that %s; it is asked once, and the error gives nothing away',
    async (__, reply) => {
      receiver.answer([reply, dojah.validated(claim.bvn)]);
      expect(await failureOf(verify(), secrets)).toBeInstanceOf(BvnProviderDown);
      expect(receiver.requests).toHaveLength(1);
    },
  );

  it('for want of the right key says so to the operator', async () => {
    receiver.answer([401, 402]);
    expect(await failureOf(verify(), secrets)).toMatchObject({
      name: 'BvnProviderDown',
      message: 'Dojah: it refuses our credentials (status 401)',
    });
    expect(await failureOf(verify(), secrets)).toMatchObject({
      name: 'BvnProviderDown',
      message: 'Dojah: our balance there is too low (status 402)',
    });
  });
});
