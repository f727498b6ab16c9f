import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { askForClaim, DAY_MS, newEnds, newLink, newSides } from '../../support/claims.ts';
import { newCustomer } from '../../support/onboarding.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { moveTag, newTag } from '../../support/tags.ts';

const server = useApp();
const ownedTag = async () => newTag(server, await newApplication(server));
const auditOfTag = async (tag: string) => auditOf(server, (await server.operate('GET', `/tags/${tag}`)).json().id);

describe('GET /tags/{tag}', () => {
  const list = async (query: string) =>
    (await server.operate('GET', `/tags?${query}`)).json<{ items: { tagString: string }[]; count: number }>();

  it('tags, newest first, of an application, of a status or of a time; closed ones among them', async () => {
    const [one, other] = [await newApplication(server), await newApplication(server)];
    const [first, second, third] = [await newTag(server, one), await newTag(server, one), await newTag(server, other)];
    await server.operate('POST', `/tags/${first}/close`, { reason: 'a test' });
    const names = async (query: string) => (await list(query)).items.map(({ tagString }) => tagString);
    expect((await names('')).slice(0, 3)).toEqual([third, second, first]);
    expect(await names(`createdByAppId=${one.applicationId}`)).toEqual([second, first]);
    expect(await names('status=CLOSED')).toEqual([first]);
    expect(await names('to=2020-01-01T00:00:00Z')).toEqual([]);
    expect((await list(`createdByAppId=${one.applicationId}&limit=1`)).count).toBe(2);
    const shown = (await server.operate('GET', `/tags/${second}`)).json();
    expect((await list('limit=2')).items[1]).toEqual(
      Object.fromEntries(Object.entries(shown).filter(([name]) => name !== 'claims' && name !== 'links')),
    );
  });

  describe('tags that read as somebody’s number', () => {
    it('stay as they are, and are listed', async () => {
      const acme = await newApplication(server);
      const handles = ['8031234567', '234.803.123.4567', '0000000010', 'o80-3123-4567', 'tel-08031234567', '1-2-3'];
      const others = ['ada8031234567', 'b1732809600000', 'tel-aviv-2024', 'lil.o'];
      for (const handle of [...handles, ...others]) {
        const made = await newTag(server, acme);
        await server.owner.query('update tags.tag set handle = $1 where handle = $2', [handle, made]);
      }
      const { items } = await list(`readsAsNumber=true&createdByAppId=${acme.applicationId}`);
      expect(items.map(({ tagString }) => tagString)).toEqual(handles.toReversed());
      expect((await server.call('GET', '/api/v1/tags/8031234567')).statusCode).toBe(200);
    });
  });
});

describe('GET /tags/{tag}', () => {
  const get = (tag: string) => server.operate('GET', `/tags/${tag}`);

  it('whose tag it is and how it stands', async () => {
    const owner = await newApplication(server, 'Owner Bank');
    const tag = await newTag(server, owner);
    const answer = await get(tag);
    expect(answer.json()).toEqual({
      id: expect.any(String),
      tagString: tag,
      qualifiedAddress: `${tag}@${owner.namespace}`,
      status: 'ACTIVE',
      ownerId: expect.any(String),
      ownerApplicationId: owner.applicationId,
      ownerApplicationName: 'Owner Bank',
      createdByAppId: owner.applicationId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      claims: [],
      links: [],
    });
    for (const written of [`@${tag}`, tag.toUpperCase(), `${tag}@${owner.namespace}`]) {
      expect((await get(written)).json()).toEqual(answer.json());
    }
  });

  it('a closed one, and from when on its handle can be had', async () => {
    const tag = await newTag(server, await newApplication(server));
    await server.operate('POST', `/tags/${tag}/close`, { reason: 'a test' });
    const closed = (await get(tag)).json();
    expect(closed).toMatchObject({ tagString: tag, status: 'CLOSED', closedAt: expect.any(String) });
    expect(Date.parse(closed.availableFrom) - Date.parse(closed.closedAt)).toBe(90 * DAY_MS);
  });

  it('a PayTag, without who its owner is', async () => {
    const { paytag, bvn, phone } = await newCustomer(server, await server.newPartner());
    const answer = await get(paytag);
    expect(answer.json()).toMatchObject({ tagString: paytag, qualifiedAddress: `${paytag}@paytag` });
    for (const secret of [bvn, phone]) expect(answer.body).not.toContain(secret);
  });
});

describe('POST /tags/{tag}/suspend', () => {
  const suspend = (tag: string, body?: object) => moveTag(server, tag, 'suspend', body);

  it('suspends it for everybody, and is audited with its reason', async () => {
    const tag = await ownedTag();
    const answer = await suspend(tag, { reason: 'a complaint' });
    expect(answer.json()).toMatchObject({ tagString: tag, status: 'SUSPENDED' });
    const resolved = (await server.call('GET', `/api/v1/tags/${tag}`)).json();
    expect(resolved.data).toMatchObject({ status: 'SUSPENDED', activeClaims: [] });
    expect(resolved.data).not.toHaveProperty('canonicalOwner');
    expect(await auditOfTag(tag)).toEqual([
      byRoot('tag.suspend', {
        before: { status: 'ACTIVE', handle: tag },
        after: { status: 'SUSPENDED' },
        reason: 'a complaint',
      }),
    ]);
  });
});

describe('POST /tags/{tag}/restore', () => {
  const restore = (tag: string, body?: object) => moveTag(server, tag, 'restore', body);

  it('gives it back to its owner, and is audited with its reason', async () => {
    const tag = await ownedTag();
    const before = (await server.call('GET', `/api/v1/tags/${tag}`)).json().data;
    await moveTag(server, tag, 'suspend');
    const answer = await restore(tag, { reason: 'settled' });
    expect(answer.json()).toMatchObject({ tagString: tag, status: 'ACTIVE' });
    expect((await server.call('GET', `/api/v1/tags/${tag}`)).json().data).toEqual(before);
    expect((await auditOfTag(tag)).at(-1)).toEqual(
      byRoot('tag.restore', {
        before: { status: 'SUSPENDED', handle: tag },
        after: { status: 'ACTIVE' },
        reason: 'settled',
      }),
    );
  });
});

describe('POST /tags/{tag}/close', () => {
  const close = (tag: string, body?: object) => moveTag(server, tag, 'close', body);

  it.each([
    [[], 'ACTIVE'],
    [['suspend'], 'SUSPENDED'],
  ] as const)('after %j it is gone for everybody, and audited with its reason', async (moves, status) => {
    const tag = await ownedTag();
    for (const what of moves) await moveTag(server, tag, what);
    const answer = await close(tag, { reason: 'its owner is gone' });
    expect(answer.json()).toMatchObject({ tagString: tag, status: 'CLOSED', closedAt: expect.any(String) });
    expect(refusalOf(await server.call('GET', `/api/v1/tags/${tag}`))).toEqual([404, 'TAG_NOT_FOUND']);
    expect((await auditOfTag(tag)).at(-1)).toEqual(
      byRoot('tag.close', {
        before: { status, handle: tag },
        after: { status: 'CLOSED' },
        reason: 'its owner is gone',
      }),
    );
  });
});

describe('GET /claims', () => {
  const list = async (query: string) =>
    (await server.operate('GET', `/claims?${query}`)).json<{ items: { id: string; state: string }[] }>().items;

  it('claims, newest first, by tag, by who asked, by state; nobody could consent with what stands there', async () => {
    const [one, other] = [await newSides(server), await newSides(server)];
    const ask = async ({ requester, tag, subjectId }: typeof one) =>
      (await askForClaim(server, requester, tag, { subjectId })).json().data;
    const [first, second] = [await ask(one), await ask(other)];
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect([await ids(`tag=${one.tag}`), await ids(`applicationId=${other.requester.applicationId}`)]).toEqual([
      [first.id],
      [second.id],
    ]);
    expect([await ids('tag=nobody.has.it'), await ids('state=APPROVED')]).toEqual([[], []]);
    const answer = await server.operate('GET', `/claims?tag=${one.tag}`);
    expect(answer.body).not.toContain(first.consentToken);
    const shown = await server.operate('GET', `/tags/${one.tag}`);
    expect(shown.json().claims).toEqual(answer.json().items);
    server.clock.advance(400 * 24 * 60 * 60 * 1000);
    expect((await list('state=EXPIRED')).map(({ state }) => state)).toEqual(['EXPIRED', 'EXPIRED']);
    expect(await ids('state=PENDING')).toEqual([]);
  });
});

describe('GET /federations', () => {
  const list = async (query: string) =>
    (await server.operate('GET', `/federations?${query}`)).json<{ items: { id: string }[]; count: number }>();

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
