import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import {
  after,
  answerConsent,
  askForClaim,
  claimsSeenBy,
  DAY_MS,
  endClaim,
  eventsFor,
  newClaim,
  newSides,
  type Sides,
  type TestClaim,
} from '../../support/claims.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSubject, newTag } from '../../support/tags.ts';

const server = useApp();

const approvedClaim = async () => {
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  await answerConsent(server, sides.owner, claim.consentToken, 'approve');
  return { sides, claim };
};

describe('POST /tags/{tag}/claims', () => {
  const alone = useApp({ PUBLIC_URL: 'https://pay.example' });

  it('answers a pending claim with the link at which the owner consents', async () => {
    const { requester, tag, subjectId } = await newSides(alone);
    const answer = await askForClaim(alone, requester, tag, { subjectId });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data } = answer.json();
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tagId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tagString: tag,
      subjectId,
      subjectExternalId: expect.stringContaining('subject-'),
      requestedByAppId: requester.applicationId,
      requestedByAppName: 'Shop',
      state: 'PENDING',
      requestedAt: expect.any(String),
      consentToken: expect.stringMatching(/^[\w-]{43}$/),
      approvalUrl: `https://pay.example/api/v1/consent/${data.consentToken}`,
      tokenExpiresAt: expect.any(String),
    });
    expect(Date.parse(data.tokenExpiresAt) - Date.parse(data.requestedAt)).toBe(DAY_MS);
    expect(alone.logged).not.toContain(data.consentToken);
  });

  it('notifies only the application of the tag’s owner', async () => {
    const sides = await newSides(alone);
    const claim = await newClaim(alone, sides);
    expect(await eventsFor(alone, sides.owner)).toEqual([
      { event: 'CONSENT_REQUESTED', reference: claim.id, data: claim },
    ]);
    expect(await eventsFor(alone, sides.requester)).toEqual([]);
  });

  it('takes an address with @ and namespace, the application’s own name for the subject, and a PayTag', async () => {
    const { requester, owner, tag } = await newSides(alone);
    await newSubject(alone, requester, { externalId: 'bola' });
    const named = await askForClaim(alone, requester, `@${tag}@${owner.namespace}`, { externalId: 'bola' });
    expect(named.json().data).toMatchObject({ tagString: tag, subjectExternalId: 'bola' });
    const person = newPerson();
    await createPayTag(alone, await alone.newPartner(), person);
    const onPayTag = await askForClaim(alone, requester, person.paytag, { externalId: 'bola' });
    expect(onPayTag.statusCode).toBe(201);
  });

  it('is allowed on its own tag, and published to itself', async () => {
    const { owner } = await newSides(alone);
    const answer = await askForClaim(alone, owner, await newTag(alone, owner), {
      subjectId: await newSubject(alone, owner),
    });
    expect(answer.statusCode).toBe(201);
    expect(await eventsFor(alone, owner)).toMatchObject([{ event: 'CONSENT_REQUESTED' }]);
  });

  it('may be requested again when the first was cancelled or has expired', async () => {
    const sides = await newSides(alone);
    const first = await newClaim(alone, sides);
    const later = await after(alone, DAY_MS, sides);
    const second = await newClaim(alone, later);
    expect(second.id).not.toBe(first.id);
    expect(await claimsSeenBy(alone, later.requester, sides.tag)).toMatchObject([
      { id: second.id, state: 'PENDING' },
      { id: first.id, state: 'EXPIRED' },
    ]);
    expect(await eventsFor(alone, sides.requester)).toMatchObject([{ event: 'CONSENT_EXPIRED', reference: first.id }]);
  });

  it('409: keeps one open claim of an application for a subject, though fifty ask at once', async () => {
    const { requester, owner, tag, subjectId } = await newSides(alone);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => askForClaim(alone, requester, tag, { subjectId })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused).toHaveLength(49);
    for (const answer of refused) expect(answer.json()).toMatchObject({ errorCode: 'CLAIM_EXISTS', data: null });
    expect(await eventsFor(alone, owner)).toHaveLength(1);
    const another = await askForClaim(alone, requester, tag, { subjectId: await newSubject(alone, requester) });
    expect(another.statusCode).toBe(201);
  });

  it('429: the hundred-and-first claim of an application on a tag in a day, 120 at once, whatever the state of the others', async () => {
    const sides = await newSides(alone);
    const subjects = await Promise.all(Array.from({ length: 120 }, () => newSubject(alone, sides.requester)));
    const answers = await Promise.all(
      subjects.map((subjectId) => unlessBusy(() => askForClaim(alone, sides.requester, sides.tag, { subjectId }))),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(100);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]?.json()).toMatchObject({ data: null, errorCode: 'TOO_MANY_REQUESTS' });
    expect(await eventsFor(alone, sides.owner)).toHaveLength(100);
    const [made] = answers.filter(({ statusCode }) => statusCode === 201);
    await endClaim(alone, sides.requester, made?.json().data, 'cancel');
    const another = { subjectId: await newSubject(alone, sides.requester) };
    const again = await askForClaim(alone, sides.requester, sides.tag, another);
    expect(again.statusCode).toBe(429);
    expect(await statusOn(sides.requester, await newTag(alone, sides.owner))).toBe(201);
    expect(await statusOn(sides.stranger, sides.tag)).toBe(201);
    const later = await after(alone, Number(again.headers['retry-after']) * 1000 + DAY_MS / 100, sides);
    expect((await askForClaim(alone, later.requester, later.tag, another)).statusCode).toBe(201);
  });

  /** Sends a request again that a busy server has refused, as clients do. */
  const unlessBusy = async (send: () => ReturnType<typeof askForClaim>): ReturnType<typeof askForClaim> => {
    const answer = await send();
    return answer.statusCode === 503 ? unlessBusy(send) : answer;
  };

  const statusOn = async (who: TestApplication, tag: string) => {
    const subjectId = await newSubject(alone, who);
    return (await askForClaim(alone, who, tag, { subjectId })).statusCode;
  };
});

describe('GET /tags/{tag}/claims', () => {
  it('shows the owner’s application every claim, another its own, and the rest none', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const theirs = { ...sides, requester: sides.stranger, subjectId: await newSubject(server, sides.stranger) };
    const other = await newClaim(server, theirs);
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toEqual([other, claim]);
    expect(await claimsSeenBy(server, sides.requester, sides.tag)).toEqual([claim]);
    expect(await claimsSeenBy(server, sides.stranger, sides.tag)).toEqual([other]);
    const bystander = await newSides(server);
    expect(await claimsSeenBy(server, bystander.owner, sides.tag)).toEqual([]);
  });

  it('shows the consent token while the claim is pending, and never after', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    for (const application of [sides.owner, sides.requester]) {
      const [seen] = await claimsSeenBy(server, application, sides.tag);
      expect(seen).toMatchObject({ id: claim.id, state: 'APPROVED', approvedAt: expect.any(String) });
      expect(seen).not.toHaveProperty('consentToken');
      expect(seen).not.toHaveProperty('approvalUrl');
    }
  });

  it('shows a claim that nobody answered in time as expired, before anybody marked it', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const later = await after(server, DAY_MS, sides);
    const [seen] = await claimsSeenBy(server, later.requester, sides.tag);
    expect(seen).toMatchObject({ id: claim.id, state: 'EXPIRED' });
    expect(seen).not.toHaveProperty('consentToken');
  });

  it('says so when there are more claims than it shows, and shows the newest', async () => {
    const sides = await newSides(server);
    const newest = await newClaim(server, sides);
    const addOlder = (count: number) =>
      server.owner.query(
        `insert into claims.claim (id, tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at, requested_at, updated_at, routing_mac)
         select uuidv7(make_interval(days => -i)), tag_id, subject_id, requested_by_app_id, 'REJECTED', sha256(uuidv7()::text::bytea),
             token_expires_at - make_interval(days => i), requested_at - make_interval(days => i), updated_at, '\\x00'
           from claims.claim, generate_series(1, $2::int) i where id = $1`,
        [newest.id, count],
      );
    const seen = async ({ headers }: typeof sides.owner) =>
      (await server.call('GET', `/api/v1/tags/${sides.tag}/claims`, { headers })).json();
    await addOlder(999);
    for (const application of [sides.owner, sides.requester]) {
      expect(await seen(application)).toMatchObject({ message: 'claims of the tag', data: { length: 1_000 } });
    }
    await addOlder(1);
    for (const application of [sides.owner, sides.requester]) {
      const { message, data } = await seen(application);
      expect(message).toBe('claims of the tag, newest first: there are more');
      expect(data).toHaveLength(1_000);
      expect(data[0]).toMatchObject({ id: newest.id });
    }
  });
});

describe('GET /tags/{tag}/claims, page by page', () => {
  type Page = { ids: string[]; next: string | undefined; message: string };

  /** So many claims like this one, each a minute older than the one before. */
  const addOlder = (claim: TestClaim, count: number) =>
    server.owner.query(
      `insert into claims.claim (id, tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at, requested_at, updated_at, routing_mac)
     select uuidv7(make_interval(mins => -i)), tag_id, subject_id, requested_by_app_id, 'REJECTED', sha256(uuidv7()::text::bytea),
         token_expires_at, requested_at - make_interval(mins => i), updated_at, '\\x00'
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
  async function walk(
    application: TestApplication,
    first: string,
    meanwhile?: () => Promise<unknown>,
  ): Promise<Page[]> {
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

describe('GET /tags/{tag}/claims/{claimId}/attestation', () => {
  const ask = ({ headers }: TestApplication, { tagString, id }: TestClaim) =>
    server.call('GET', `/api/v1/tags/${tagString}/claims/${id}/attestation`, { headers });

  it('answers the application that asked a fresh one, whoever approved, also when the first has expired', async () => {
    const { sides, claim } = await approvedClaim();
    const later = await after(server, 2 * DAY_MS, sides);
    const answer = await ask(later.requester, claim);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data } = answer.json();
    expect(data).toMatchObject({
      token: expect.any(String),
      tag: sides.tag,
      subjectId: sides.subjectId,
      consentId: claim.id,
    });
    expect(data.expiresAt * 1000).toBeGreaterThan(server.clock.now().getTime());
  });
});

describe('POST /tags/{tag}/claims/{claimId}/cancel', () => {
  it('withdraws the claim, and notifies the owner’s application', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await endClaim(server, sides.requester, claim, 'cancel');
    expect(answer.json().data).toMatchObject({ id: claim.id, state: 'CANCELLED' });
    expect(answer.body).not.toContain(claim.consentToken);
    expect((await eventsFor(server, sides.owner)).at(-1)).toMatchObject({
      event: 'CONSENT_CANCELLED',
      reference: claim.id,
      data: { state: 'CANCELLED' },
    });
  });

  it('409: refuses a claim that is approved, and an expired one', async () => {
    const sides = await newSides(server);
    const approved = await newClaim(server, sides);
    await answerConsent(server, sides.owner, approved.consentToken, 'approve');
    const late = await newClaim(server, { ...sides, tag: await newTag(server, sides.owner) });
    const answers = [await endClaim(server, sides.requester, approved, 'cancel')];
    const { requester } = await after(server, DAY_MS, sides);
    answers.push(await endClaim(server, requester, late, 'cancel'));
    for (const answer of answers) {
      expect(refusalOf(answer)).toEqual([409, 'CLAIM_NOT_PENDING']);
    }
  });
});

describe('POST /tags/{tag}/claims/{claimId}/revoke', () => {
  it.each([
    ['owner', 'requester'],
    ['requester', 'owner'],
  ] as const)('by the %s ends the claim and notifies the %s', async (by, other) => {
    const { sides, claim } = await approvedClaim();
    const answer = await endClaim(server, sides[by], claim, 'revoke');
    expect(answer.json().data).toMatchObject({
      id: claim.id,
      state: 'REVOKED',
      approvedAt: expect.any(String),
      revokedAt: expect.any(String),
    });
    expect((await eventsFor(server, sides[other])).at(-1)).toMatchObject({
      event: 'CONSENT_REVOKED',
      reference: claim.id,
    });
    expect((await eventsFor(server, sides[by])).at(-1)?.event).not.toBe('CONSENT_REVOKED');
  });

  it('makes room for another claim, and is possible long after the consent token has expired', async () => {
    const { sides, claim } = await approvedClaim();
    const later = await after(server, 2 * DAY_MS, sides);
    expect((await endClaim(server, later.owner, claim, 'revoke')).statusCode).toBe(200);
    expect((await newClaim(server, later)).state).toBe('PENDING');
  });
});
