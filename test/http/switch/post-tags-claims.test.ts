import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import {
  after,
  askForClaim,
  claimsSeenBy,
  DAY_MS,
  endClaim,
  eventsFor,
  newClaim,
  newSides,
} from '../../support/claims.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { newSubject, newTag } from '../../support/tags.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example' });

describe('201', () => {
  it('answers a pending claim with the link at which the owner consents', async () => {
    const { requester, tag, subjectId } = await newSides(server);
    const answer = await askForClaim(server, requester, tag, { subjectId });
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
    expect(server.logged).not.toContain(data.consentToken);
  });

  it('notifies only the application of the tag’s owner', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    expect(await eventsFor(server, sides.owner)).toEqual([
      { event: 'CONSENT_REQUESTED', reference: claim.id, data: claim },
    ]);
    expect(await eventsFor(server, sides.requester)).toEqual([]);
  });

  it('takes an address with @ and namespace, the application’s own name for the subject, and a PayTag', async () => {
    const { requester, owner, tag } = await newSides(server);
    await newSubject(server, requester, { externalId: 'bola' });
    const named = await askForClaim(server, requester, `@${tag}@${owner.namespace}`, { externalId: 'bola' });
    expect(named.json().data).toMatchObject({ tagString: tag, subjectExternalId: 'bola' });
    const person = newPerson();
    await createPayTag(server, await server.newPartner(), person);
    const onPayTag = await askForClaim(server, requester, person.paytag, { externalId: 'bola' });
    expect(onPayTag.statusCode).toBe(201);
  });

  it('is allowed on its own tag, and published to itself', async () => {
    const { owner } = await newSides(server);
    const answer = await askForClaim(server, owner, await newTag(server, owner), {
      subjectId: await newSubject(server, owner),
    });
    expect(answer.statusCode).toBe(201);
    expect(await eventsFor(server, owner)).toMatchObject([{ event: 'CONSENT_REQUESTED' }]);
  });

  it('may be requested again when the first was cancelled or has expired', async () => {
    const sides = await newSides(server);
    const first = await newClaim(server, sides);
    const later = await after(server, DAY_MS, sides);
    const second = await newClaim(server, later);
    expect(second.id).not.toBe(first.id);
    expect(await claimsSeenBy(server, later.requester, sides.tag)).toMatchObject([
      { id: second.id, state: 'PENDING' },
      { id: first.id, state: 'EXPIRED' },
    ]);
    expect(await eventsFor(server, sides.requester)).toMatchObject([{ event: 'CONSENT_EXPIRED', reference: first.id }]);
  });
});

describe('409', () => {
  it('keeps one open claim of an application for a subject, though fifty ask at once', async () => {
    const { requester, owner, tag, subjectId } = await newSides(server);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => askForClaim(server, requester, tag, { subjectId })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused).toHaveLength(49);
    for (const answer of refused) expect(answer.json()).toMatchObject({ errorCode: 'CLAIM_EXISTS', data: null });
    expect(await eventsFor(server, owner)).toHaveLength(1);
    const another = await askForClaim(server, requester, tag, { subjectId: await newSubject(server, requester) });
    expect(another.statusCode).toBe(201);
  });
});

describe('429', () => {
  it('the hundred-and-first claim of an application on a tag in a day, 120 at once, whatever the state of the others', async () => {
    const sides = await newSides(server);
    const subjects = await Promise.all(Array.from({ length: 120 }, () => newSubject(server, sides.requester)));
    const answers = await Promise.all(
      subjects.map((subjectId) => askForClaim(server, sides.requester, sides.tag, { subjectId })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(100);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]?.json()).toMatchObject({ data: null, errorCode: 'TOO_MANY_REQUESTS' });
    expect(await eventsFor(server, sides.owner)).toHaveLength(100);
    const [made] = answers.filter(({ statusCode }) => statusCode === 201);
    await endClaim(server, sides.requester, made?.json().data, 'cancel');
    const another = { subjectId: await newSubject(server, sides.requester) };
    const again = await askForClaim(server, sides.requester, sides.tag, another);
    expect(again.statusCode).toBe(429);
    expect(await statusOn(sides.requester, await newTag(server, sides.owner))).toBe(201);
    expect(await statusOn(sides.stranger, sides.tag)).toBe(201);
    const later = await after(server, Number(again.headers['retry-after']) * 1000 + DAY_MS / 100, sides);
    expect((await askForClaim(server, later.requester, later.tag, another)).statusCode).toBe(201);
  });

  const statusOn = async (who: TestApplication, tag: string) => {
    const subjectId = await newSubject(server, who);
    return (await askForClaim(server, who, tag, { subjectId })).statusCode;
  };
});
