import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import { newClaim, newSides, type Sides, type TestClaim } from '../../support/claims.ts';
import { newSubject } from '../../support/tags.ts';

const server = useApp();
type Page = { ids: string[]; next: string | undefined; message: string };

/** So many claims like this one, each a minute older than the one before. */
const addOlder = (claim: TestClaim, count: number) =>
  server.owner.query(
    `insert into claims.claim (id, tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at, requested_at, updated_at)
     select uuidv7(make_interval(mins => -i)), tag_id, subject_id, requested_by_app_id, 'REJECTED', sha256(uuidv7()::text::bytea),
         token_expires_at, requested_at - make_interval(mins => i), updated_at
       from claims.claim, generate_series(1, $2::int) i where id = $1`,
    [claim.id, count],
  );

/** A page, and the address of the next one as RFC 8288 resolves it: against the address of this one. */
async function pageAt({ headers }: TestApplication, address: string): Promise<Page> {
  const answer = await server.call('GET', address, { headers });
  expect(answer.statusCode).toBe(200);
  const { message, data } = answer.json<{ message: string; data: { id: string }[] }>();
  const [, link] = /^<([^>]*)>; rel="next"$/.exec(String(answer.headers['link'] ?? '')) ?? [];
  const base = new URL(address, 'http://paytag.example');
  const next = link === undefined ? undefined : new URL(link, base);
  expect(next?.pathname ?? base.pathname).toBe(base.pathname);
  return { ids: data.map(({ id }) => id), next: next && next.pathname + next.search, message };
}

/** From page to page, as the links lead. */
async function walk(application: TestApplication, first: string, meanwhile?: () => Promise<unknown>): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | undefined = first; at !== undefined; at = pages.at(-1)?.next) {
    pages.push(await pageAt(application, at));
    await meanwhile?.();
  }
  return pages;
}

/** A tag with 2,300 claims of one application, and as many of another between them. */
async function muchClaimed(): Promise<Sides & { address: string }> {
  const sides = await newSides(server);
  const theirs = { ...sides, requester: sides.stranger, subjectId: await newSubject(server, sides.stranger) };
  for (const one of [sides, theirs]) await addOlder(await newClaim(server, one), 2_299);
  return { ...sides, address: `/api/v1/tags/${sides.tag}/claims` };
}

const stored = async (tag: string, applicationId?: string): Promise<string[]> => {
  const { rows } = await server.owner.query<{ id: string }>(
    `select k.id from claims.claim k join tags.tag t on t.id = k.tag_id
      where t.handle = $1 and ($2::uuid is null or k.requested_by_app_id = $2) order by k.id desc`,
    [tag, applicationId ?? null],
  );
  return rows.map(({ id }) => id);
};
const sizes = (pages: readonly Page[]) => pages.map(({ ids }) => ids.length);
const seenIn = (pages: readonly Page[]) => pages.flatMap(({ ids }) => ids);

describe('200', () => {
  it('leads from page to page, and shows each claim once, newest first: all of them to the owner’s application, its own to another', async () => {
    const { owner, requester, tag, address } = await muchClaimed();
    const pages = await walk(owner, address);
    expect(sizes(pages)).toEqual([1_000, 1_000, 1_000, 1_000, 600]);
    expect(seenIn(pages)).toEqual(await stored(tag));
    expect(pages.map(({ message }) => message)).toEqual([
      ...Array.from({ length: 4 }, () => 'claims of the tag, newest first: there are more'),
      'claims of the tag',
    ]);
    const own = await walk(requester, address);
    expect(sizes(own)).toEqual([1_000, 1_000, 300]);
    expect(seenIn(own)).toEqual(await stored(tag, requester.applicationId));
  });

  it('shows nothing twice and leaves nothing out while claims are made, those that are made aside', async () => {
    const sides = await newSides(server);
    await addOlder(await newClaim(server, sides), 300);
    const before = await stored(sides.tag);
    const another = async () => newClaim(server, { ...sides, subjectId: await newSubject(server, sides.requester) });
    for (const application of [sides.owner, sides.requester]) {
      const known = await stored(sides.tag);
      const pages = await walk(application, `/api/v1/tags/${sides.tag}/claims?limit=90`, another);
      expect(seenIn(pages)).toEqual(known);
      expect(known).toEqual(expect.arrayContaining(before));
    }
  });

  it.each([
    ['limit=2', [2, 2, 1]],
    ['limit=5', [5]],
    ['limit=4', [4, 1]],
    ['limit=1001', [5]],
    ['limit=99999999999999999999', [5]],
    ['limit=', [5]],
    ['cursor=', [5]],
  ])('of five claims ?%s gives pages of %j, and keeps to it', async (query, expected) => {
    const sides = await newSides(server);
    await addOlder(await newClaim(server, sides), 4);
    for (const application of [sides.owner, sides.requester]) {
      expect(sizes(await walk(application, `/api/v1/tags/${sides.tag}/claims?${query}`))).toEqual(expected);
    }
  });

  it.each([100, 101, 1_000, 1_001])('shows %i claims whole, or leads to what is left', async (count) => {
    const sides = await newSides(server);
    await addOlder(await newClaim(server, sides), count - 1);
    for (const application of [sides.owner, sides.requester]) {
      const pages = await walk(application, `/api/v1/tags/${sides.tag}/claims`);
      expect(sizes(pages)).toEqual(count > 1_000 ? [1_000, count - 1_000] : [count]);
      const hundreds = await walk(application, `/api/v1/tags/${sides.tag}/claims?limit=100`);
      expect(seenIn(hundreds)).toEqual(seenIn(pages));
    }
  });

  it('gives an application that asked for none nothing, whosever cursor it sends', async () => {
    const sides = await newSides(server);
    await addOlder(await newClaim(server, sides), 4);
    const { next } = await pageAt(sides.owner, `/api/v1/tags/${sides.tag}/claims?limit=2`);
    expect(await pageAt(sides.stranger, next ?? '')).toMatchObject({ ids: [], next: undefined });
  });
});
