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
  remove,
  verifyRightly,
} from '../../support/federations.ts';
import { setTagStatus } from '../../support/switch.ts';

const server = useApp();

describe('200', () => {
  it.each(['primary', 'secondary'] as const)(
    'ends a verified link from the %s side, and notifies the other',
    async (side) => {
      const ends = await newEnds(server);
      const link = await newLink(server, ends);
      const verified = await verifyRightly(server, ends, link, 'OTP');
      const answer = await remove(server, ends[side], link);
      expect(answer.statusCode).toBe(200);
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
    expect(answer.statusCode).toBe(200);
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
});

describe('409', () => {
  it('ends a verified link once, though fifty ask at once from both sides', async () => {
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
});

it('410: refuses an expired one, from either side', async () => {
  const before = await newEnds(server);
  const link = await newLink(server, before);
  const ends = await later(server, LINK_MS, before);
  for (const side of [ends.primary, ends.secondary]) {
    expect(refusal(await remove(server, side, link))).toEqual([410, 'LINK_EXPIRED']);
  }
});
