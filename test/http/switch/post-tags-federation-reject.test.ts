import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import {
  LINK_MS,
  later,
  linkEventNames,
  METHODS,
  newEnds,
  newLink,
  refusal,
  reject,
  remove,
  verifyRightly,
} from '../../support/federations.ts';
import { setTagStatus } from '../../support/switch.ts';

const server = useApp();

describe('200', () => {
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
});

it('400: refuses an invalid link id', async () => {
  const { secondary, primary } = await newEnds(server);
  const answer = await reject(server, secondary, { primaryTag: primary.tag, id: 'pending' });
  expect(refusal(answer)).toEqual([400, 'INVALID_PARAMETER']);
});

it('401: asks for an application token', async () => {
  const ends = await newEnds(server);
  const link = await newLink(server, ends);
  const nobody = { ...ends.secondary, headers: { authorization: 'Bearer none' } };
  expect(refusal(await reject(server, nobody, link))).toEqual([401, 'INVALID_APPLICATION_TOKEN']);
});

it('403: is not for the application that started the link', async () => {
  const ends = await newEnds(server);
  const link = await newLink(server, ends);
  expect(refusal(await reject(server, ends.primary, link))).toEqual([403, 'NOT_PERMITTED']);
});

it('404: a stranger, an unknown link, and one of another tag', async () => {
  const ends = await newEnds(server);
  const link = await newLink(server, ends);
  for (const [who, which] of [
    [ends.stranger, link],
    [ends.secondary, { ...link, id: '00000000-0000-7000-8000-000000000000' }],
    [ends.secondary, { ...link, primaryTag: ends.secondary.tag }],
  ] as const) {
    expect(refusal(await reject(server, who, which))).toEqual([404, 'LINK_NOT_FOUND']);
  }
});

describe('409', () => {
  it.each(['rejected', 'verified', 'taken back'] as const)('refuses one that is %s', async (what) => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    if (what === 'rejected') await reject(server, ends.secondary, link);
    if (what === 'verified') await verifyRightly(server, ends, link, 'OTP');
    if (what === 'taken back') await remove(server, ends.primary, link);
    expect(refusal(await reject(server, ends.secondary, link))).toEqual([409, 'LINK_NOT_PENDING']);
  });
});

it('410: refuses an expired one', async () => {
  const before = await newEnds(server);
  const link = await newLink(server, before);
  const ends = await later(server, LINK_MS, before);
  expect(refusal(await reject(server, ends.secondary, link))).toEqual([410, 'LINK_EXPIRED']);
});
