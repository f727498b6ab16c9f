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

it('410: refuses an expired one', async () => {
  const before = await newEnds(server);
  const link = await newLink(server, before);
  const ends = await later(server, LINK_MS, before);
  expect(refusal(await reject(server, ends.secondary, link))).toEqual([410, 'LINK_EXPIRED']);
});
