import { describe, expect, it } from 'vitest';
import { mayBecome } from '#lib/state-machine.ts';
import { expireLinks } from '#modules/consent';
import { verificationOf } from '../../../src/modules/consent/link.ts';
import { type LinkRow, lockLink, updateStatus } from '../../../src/modules/consent/link-store.ts';
import { type LinkStatus, linkStatuses, linkTransitions } from '../../../src/modules/consent/states.ts';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import {
  codeFor,
  type Ends,
  eventsFor,
  federate,
  LINK_MS,
  later,
  linkEventNames,
  newEnds,
  newLink,
  otherThan,
  reject,
  remove,
  seeFederation,
  type TestLink,
  verify,
  verifyRightly,
} from '../../support/claims.ts';
import { newTag } from '../../support/tags.ts';

describe('the status of a link', () => {
  const server = useApp();

  /** How a link gets to each status, through the API. */
  const ways: Record<LinkStatus, (ends: Ends, link: TestLink) => Promise<unknown>> = {
    PENDING: async () => undefined,
    VERIFIED: async (ends, link) => verifyRightly(server, ends, link, 'OTP'),
    REJECTED: async ({ secondary }, link) => reject(server, secondary, link),
    FAILED: async ({ primary, secondary }, link) => {
      const wrong = otherThan(await codeFor(server, secondary, link));
      for (let count = 0; count < 5; count += 1) await verify(server, primary, link, wrong);
    },
    EXPIRED: async () => {
      server.clock.advance(LINK_MS);
      await expireLinks(server.resources, 100, server.clock.now());
    },
    REVOKED: async ({ primary }, link) => remove(server, primary, link),
  };

  const pairs = linkStatuses.flatMap((from) => linkStatuses.map((to) => [from, to] as const));
  const isAllowed = (from: LinkStatus, to: LinkStatus) => mayBecome(linkTransitions, from, to);

  const rowOf = async ({ id }: Pick<TestLink, 'id'>) => {
    const { rows } = await server.owner.query(
      'select status, token_digest as digest, expires_at as "expiresAt" from federations.link where id = $1',
      [id],
    );
    return rows[0] as { status: LinkStatus; digest: Buffer | null; expiresAt: Date };
  };

  const move = (id: string, next: LinkStatus, now: Date) =>
    server.resources.db.transaction(async (tx) => {
      const verified = { verifiedAt: now, verifiedBy: 'acme' };
      const link = (await lockLink(tx, id)) as LinkRow;
      return updateStatus(tx, id, {
        next,
        now,
        verification: verificationOf(server.resources.keyring, link, verified),
      });
    });

  describe('a link moves where the table says, and nowhere else', () => {
    it.each(pairs)('from %s to %s', async (from, to) => {
      const ends = await newEnds(server);
      const link = await newLink(server, ends);
      await ways[from](ends, link);
      const before = await rowOf(link);
      expect(before.status).toBe(from);
      const now = to === 'EXPIRED' ? before.expiresAt : server.clock.now();
      expect(await move(link.id, to, now)).toBe(isAllowed(from, to));
      const row = await rowOf(link);
      expect(row.status).toBe(isAllowed(from, to) ? to : from);
      expect(row.digest !== null).toBe(row.status === 'PENDING');
    });
  });

  it('a link is never expired before its time, nor answered after it', async () => {
    const link = await newLink(server, await newEnds(server));
    const { expiresAt: end } = await rowOf(link);
    const before = new Date(end.getTime() - 1);
    const moveTo = (next: LinkStatus, now: Date) => move(link.id, next, now);
    expect(await moveTo('EXPIRED', before)).toBe(false);
    for (const late of ['VERIFIED', 'REJECTED', 'FAILED', 'REVOKED'] as const)
      expect(await moveTo(late, end)).toBe(false);
    expect(await moveTo('VERIFIED', before)).toBe(true);
  });

  it('the code is not to be found in the tables of links, only a digest that differs from link to link', async () => {
    const [one, other] = [await newEnds(server), await newEnds(server)];
    const links = [await newLink(server, one), await newLink(server, other)];
    const code = await codeFor(server, one.secondary, links[0] as TestLink);
    const { rows } = await server.owner.query('select l::text as row from federations.link l');
    expect(JSON.stringify(rows)).not.toContain(code);
    const digests = await Promise.all(links.map(rowOf));
    expect(digests[0]?.digest).toHaveLength(32);
    expect(digests[0]?.digest).not.toEqual(digests[1]?.digest);
  });
});

describe('overdue links', () => {
  const server = useApp();

  it('the sweep marks overdue links, each once though several sweep at once, and notifies both sides', async () => {
    const [one, other, verified] = [await newEnds(server), await newEnds(server), await newEnds(server)];
    const link = await newLink(server, one);
    await newLink(server, other, 'CONSENT');
    await verifyRightly(server, verified, await newLink(server, verified), 'OTP');
    const { clock } = server.resources;
    expect(await expireLinks(server.resources, 100, clock.now())).toBe(0);
    const ends = await later(server, LINK_MS, await newEnds(server));
    const fresh = await newLink(server, ends);
    const swept = await Promise.all(Array.from({ length: 5 }, () => expireLinks(server.resources, 100, clock.now())));
    expect(swept.reduce((sum, count) => sum + count, 0)).toBe(2);
    for (const side of [one.primary, one.secondary]) {
      const last = (await eventsFor(server, side)).at(-1);
      expect(last).toMatchObject({ event: 'FEDERATION_EXPIRED', reference: link.id, data: { status: 'EXPIRED' } });
      expect(last?.data).not.toHaveProperty('token');
    }
    expect(await linkEventNames(server, ends.primary, fresh)).toEqual([]);
  });

  it('the periodic sweep expires them too, however many batches they fill', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    server.clock.advance(LINK_MS);
    await maintain(server.resources);
    expect(await linkEventNames(server, ends.primary, link)).toEqual(['FEDERATION_EXPIRED']);
  });

  it('closing a tag revokes what is open on it, on either side, and notifies both', async () => {
    const ends = await newEnds(server);
    const verified = await newLink(server, ends);
    await verifyRightly(server, ends, verified, 'OTP');
    const pending = await newLink(server, { ...ends, primary: ends.secondary, secondary: ends.stranger });
    const { headers, tag } = ends.secondary;
    expect((await server.call('DELETE', `/api/v1/tags/${tag}`, { headers })).statusCode).toBe(200);
    for (const [side, link] of [
      [ends.primary, verified],
      [ends.secondary, verified],
      [ends.secondary, pending],
      [ends.stranger, pending],
    ] as const) {
      expect((await linkEventNames(server, side, link)).at(-1)).toBe('FEDERATION_REVOKED');
    }
  });
});

describe('at the same time', () => {
  const server = useApp();

  const fifty = <Result>(attempts: readonly (() => Promise<Result>)[]): Promise<Result[]> =>
    Promise.all(Array.from({ length: 50 }, (_, index) => attempts[index % attempts.length]?.() as Promise<Result>));

  const countOf = (answers: readonly { statusCode: number }[], status: number) =>
    answers.filter(({ statusCode }) => statusCode === status).length;

  const openBetween = async (one: string, other: string) => {
    const { rows } = await server.owner.query(
      `select l.id from federations.link l join tags.tag p on p.id = l.primary_tag_id join tags.tag t on t.id = l.linked_tag_id
      where array[p.handle, t.handle] <@ array[$1, $2] and l.status in ('PENDING', 'VERIFIED')`,
      [one, other],
    );
    return rows.length;
  };

  it('fifty start a link between two tags at once, from both sides: one does', async () => {
    const { primary, secondary } = await newEnds(server);
    const answers = await fifty([
      () => federate(server, primary, primary.tag, { secondaryTag: secondary.tag, verificationMethod: 'OTP' }),
      () => federate(server, secondary, secondary.tag, { secondaryTag: primary.tag, verificationMethod: 'OTP' }),
    ]);
    expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 49]);
    expect(await openBetween(primary.tag, secondary.tag)).toBe(1);
    const events = [...(await eventsFor(server, primary)), ...(await eventsFor(server, secondary))];
    expect(events.map(({ event }) => event)).toEqual(['FEDERATION_CHALLENGE']);
  });

  it('fifty start again a link that is over but was not swept: one does, and the old one ends once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await newEnds(server);
      const link = await newLink(server, before);
      const { primary, secondary } = await later(server, LINK_MS, before);
      const answers = await fifty([
        () => federate(server, primary, primary.tag, { secondaryTag: secondary.tag, verificationMethod: 'CONSENT' }),
        () => federate(server, secondary, secondary.tag, { secondaryTag: primary.tag, verificationMethod: 'CONSENT' }),
      ]);
      expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 49]);
      expect(await openBetween(primary.tag, secondary.tag)).toBe(1);
      expect(await linkEventNames(server, primary, link)).toEqual(['FEDERATION_EXPIRED']);
      expect(await linkEventNames(server, secondary, link)).toEqual(['FEDERATION_CHALLENGE', 'FEDERATION_EXPIRED']);
    }
  });

  it('fifty first links of one tag at once gather under one federation', async () => {
    const { primary, secondary } = await newEnds(server);
    const tags = await Promise.all(Array.from({ length: 10 }, () => newTag(server, secondary)));
    const answers = await Promise.all(
      tags.map((secondaryTag) =>
        federate(server, primary, primary.tag, { secondaryTag, verificationMethod: 'CONSENT' }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.json().data.id)).size).toBe(1);
    expect((await seeFederation(server, primary, primary.tag)).json().data.links).toHaveLength(10);
  });

  it('the right code, wrong codes, reject and delete, fifty at once: one outcome', async () => {
    const ends = await newEnds(server);
    const { primary, secondary } = ends;
    const link = await newLink(server, ends);
    const code = await codeFor(server, secondary, link);
    const answers = await fifty([
      () => verify(server, primary, link, code),
      () => reject(server, secondary, link),
      () => verify(server, primary, link, otherThan(code)),
      () => remove(server, primary, link),
    ]);
    const { status } = (await seeFederation(server, primary, primary.tag)).json().data.links[0];
    const events = [
      ...(await linkEventNames(server, primary, link)),
      ...(await linkEventNames(server, secondary, link)),
    ];
    // A verified link may be deleted at once by those who come after: two moves, both told.
    const moves = events.filter((event) => event !== 'FEDERATION_CHALLENGE');
    expect(countOf(answers, 200) + (status === 'FAILED' ? 1 : 0)).toBe(moves.length);
    expect(moves.length).toBe(moves.includes('FEDERATION_VERIFIED') && status === 'REVOKED' ? 2 : 1);
    expect(moves).toContain(`FEDERATION_${status}`);
    expect(countOf(answers, 500)).toBe(0);
  });

  it('a tag that is closed while its link is verified leaves no verified link behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ends = await newEnds(server);
      const link = await newLink(server, ends, 'CONSENT');
      const { headers } = ends.primary;
      const [closed, verified] = await Promise.all([
        server.call('DELETE', `/api/v1/tags/${ends.primary.tag}`, { headers }),
        verify(server, ends.secondary, link),
      ]);
      expect(closed.statusCode).toBe(200);
      expect([200, 404, 409]).toContain(verified.statusCode);
      expect(await openBetween(ends.primary.tag, ends.secondary.tag)).toBe(0);
    }
  });
});
