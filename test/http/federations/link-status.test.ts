import { describe, expect, it } from 'vitest';
import { mayBecome } from '#lib/state-machine.ts';
import { expireLinks } from '#modules/federations';
import { type LinkStatus, linkStatuses, linkTransitions } from '../../../src/modules/federations/link-status.ts';
import { updateStatus } from '../../../src/modules/federations/store.ts';
import { useApp } from '../../support/app.ts';
import {
  codeFor,
  type Ends,
  LINK_MS,
  newEnds,
  newLink,
  otherThan,
  reject,
  remove,
  type TestLink,
  verify,
  verifyRightly,
} from '../../support/federations.ts';

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

describe('a link moves where the table says, and nowhere else', () => {
  it.each(pairs)('from %s to %s', async (from, to) => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends);
    await ways[from](ends, link);
    const before = await rowOf(link);
    expect(before.status).toBe(from);
    const { db, clock } = server.resources;
    const now = to === 'EXPIRED' ? before.expiresAt : clock.now();
    const moved = await db.transaction((tx) => updateStatus(tx, link.id, { next: to, now, verifiedBy: 'acme' }));
    expect(moved).toBe(isAllowed(from, to));
    const row = await rowOf(link);
    expect(row.status).toBe(isAllowed(from, to) ? to : from);
    expect(row.digest !== null).toBe(row.status === 'PENDING');
  });
});

it('a link is never expired before its time, nor answered after it', async () => {
  const link = await newLink(server, await newEnds(server));
  const { db } = server.resources;
  const { expiresAt: end } = await rowOf(link);
  const before = new Date(end.getTime() - 1);
  const moveTo = (next: LinkStatus, now: Date) =>
    db.transaction((tx) => updateStatus(tx, link.id, { next, now, verifiedBy: 'acme' }));
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
