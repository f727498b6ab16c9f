import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newEnds, newLink } from '../../support/federations.ts';

const server = useApp();
const list = async (query: string) =>
  (await server.operate('GET', `/federations?${query}`)).json<{ items: { id: string }[]; count: number }>();

describe('200', () => {
  it('links, newest first, by a tag or an application on either side, and by status', async () => {
    const [one, other] = [await newEnds(server), await newEnds(server)];
    const [first, second] = [await newLink(server, one), await newLink(server, other)];
    const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    const { primary, secondary } = one;
    for (const query of [
      `tag=${primary.tag}`,
      `tag=${secondary.tag}`,
      `applicationId=${primary.applicationId}`,
      `applicationId=${secondary.applicationId}&status=PENDING`,
      `tag=${secondary.tag}&applicationId=${primary.applicationId}`,
    ]) {
      expect([query, await ids(query)]).toEqual([query, [first.id]]);
    }
    expect([
      await ids(`tag=${secondary.tag}&applicationId=${other.primary.applicationId}`),
      await ids('tag=no.one'),
    ]).toEqual([[], []]);
    const { items, count } = await list(`tag=${primary.tag}`);
    expect(count).toBe(1);
    expect(items[0]).toMatchObject({
      primaryTag: primary.tag,
      linkedTag: secondary.tag,
      method: 'OTP',
      status: 'PENDING',
    });
    expect((await server.operate('GET', `/tags/${secondary.tag}`)).json().links).toEqual(items);
    server.clock.advance(60 * 60 * 1000);
    expect([await ids('status=PENDING'), await ids('status=EXPIRED')]).toEqual([[], [second.id, first.id]]);
  });
});
