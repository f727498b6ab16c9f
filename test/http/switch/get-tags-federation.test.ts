import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newEnds, newLink, refusal, seeFederation, verifyRightly } from '../../support/federations.ts';

const server = useSharedApp();

describe('200', () => {
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
});

describe('404', () => {
  it('shows a stranger nothing, whether or not there is something', async () => {
    const ends = await newEnds(server);
    const before = await seeFederation(server, ends.stranger, ends.primary.tag);
    await newLink(server, ends);
    const afterwards = await seeFederation(server, ends.stranger, ends.primary.tag);
    for (const answer of [before, afterwards]) expect(refusal(answer)).toEqual([404, 'FEDERATION_NOT_FOUND']);
    expect(afterwards.json().message).toBe(before.json().message);
  });
});
