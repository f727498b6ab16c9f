import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { another, createTag, newSubject } from '../../support/tags.ts';

const server = useSharedApp();

describe('POST /subjects', () => {
  const register = (
    { headers }: Pick<TestApplication, 'headers'>,
    payload: object,
    more: Record<string, string> = {},
  ) => server.call('POST', '/api/v1/subjects', { headers: { ...headers, ...more }, payload });

  const whole = () => ({
    externalId: another('customer-'),
    displayName: 'Bola Ade',
    email: 'bola.private@example.com',
    imageUrl: 'https://img.example/bola.png',
    metadata: { tier: 'gold', nested: { z: [1, 2.5, null], a: true }, huge: 1 },
  });

  it('answers the subject with all that its application gave', async () => {
    const acme = await newApplication(server);
    const given = whole();
    const answer = await register(acme, given);
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        applicationId: acme.applicationId,
        applicationName: 'Acme',
        ...given,
        createdAt: expect.any(String),
      },
    });
  });

  it('leaves out what was not given', async () => {
    const { data } = (
      await register(await newApplication(server), { externalId: 'x', email: '', metadata: null })
    ).json();
    expect(Object.keys(data).toSorted()).toEqual(['applicationId', 'applicationName', 'createdAt', 'externalId', 'id']);
  });

  it('is one subject for each application: the same name at another is another', async () => {
    const given = whole();
    const answers = [
      await register(await newApplication(server), given),
      await register(await newApplication(server), given),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(new Set(answers.map((answer) => answer.json().data.id)).size).toBe(2);
  });

  it('is made once though fifty ask at once', async () => {
    const acme = await newApplication(server);
    const given = whole();
    const answers = await Promise.all(Array.from({ length: 50 }, () => register(acme, given)));
    const withStatus = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
    expect([withStatus(201), withStatus(200)]).toEqual([1, 49]);
    expect(new Set(answers.map((answer) => answer.json().data.id)).size).toBe(1);
  });

  it('answers the same subject to the same content, in whatever order its members stand', async () => {
    const acme = await newApplication(server);
    const { metadata, ...given } = whole();
    const first = await register(acme, { ...given, metadata });
    const { tier, nested, huge } = metadata;
    const again = await register(acme, { metadata: { huge, nested: { a: nested.a, z: nested.z }, tier }, ...given });
    expect(again.json().data).toEqual(first.json().data);
  });

  it('keeps numbers in metadata that a double would change', async () => {
    const acme = await newApplication(server);
    const payload = '{"externalId":"exact","metadata":{"a":10.000,"b":9007199254740993,"c":-0}}';
    const headers = { ...acme.headers, 'content-type': 'application/json' };
    const send = () => server.call('POST', '/api/v1/subjects', { headers, payload });
    expect((await send()).json().data.metadata).toEqual({ a: 10, b: '9007199254740993', c: '-0' });
    expect((await send()).statusCode).toBe(200);
  });

  it('400: refuses metadata that is nested more than 32 levels deep, and compares what is not', async () => {
    const { headers } = await newApplication(server);
    const send = (levels: number) =>
      server.call('POST', '/api/v1/subjects', {
        headers: { ...headers, 'content-type': 'application/json' },
        payload: `{"externalId":"deep-${levels}","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
      });
    for (const levels of [33, 500, 2_000]) {
      const answers = [await send(levels), await send(levels)];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
      expect(answers[0]?.json().errorCode).toBe('INVALID_PARAMETER');
    }
    const lists = `{"externalId":"lists","metadata":{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}}`;
    const type = { ...headers, 'content-type': 'application/json' };
    expect((await server.call('POST', '/api/v1/subjects', { headers: type, payload: lists })).statusCode).toBe(400);
    expect([(await send(32)).statusCode, (await send(32)).statusCode]).toEqual([201, 200]);
  });
});

describe('POST /tags', () => {
  it('makes a tag of that subject, with all that its application knows of it', async () => {
    const acme = await newApplication(server, another('Acme '));
    const given = { externalId: 'bola', displayName: 'Bola Ade', email: 'bola@example.com', metadata: { a: 1 } };
    const subjectId = await newSubject(server, acme, given);
    const answer = await createTag(server, acme, { tagString: '@Bola.Ade', subjectId });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tagString: 'bola.ade',
        qualifiedAddress: `bola.ade@${acme.namespace}`,
        status: 'ACTIVE',
        canonicalOwner: expect.objectContaining({ ...given, id: subjectId, applicationId: acme.applicationId }),
        createdByAppId: acme.applicationId,
        createdByAppName: expect.stringContaining('Acme'),
        activeClaims: [],
        createdAt: expect.any(String),
      },
    });
    const shown = (await server.call('GET', '/api/v1/tags/bola.ade')).json().data;
    expect(shown.canonicalOwner).toMatchObject({ id: subjectId, displayName: 'Bola Ade' });
    for (const hidden of ['externalId', 'email', 'metadata']) expect(shown.canonicalOwner).not.toHaveProperty(hidden);
  });

  it('takes the subject by the name its application has for it', async () => {
    const acme = await newApplication(server);
    const externalId = another('customer-');
    const subjectId = await newSubject(server, acme, { externalId });
    const answer = await createTag(server, acme, { tagString: another('tag'), externalId });
    expect(answer.json().data.canonicalOwner.id).toBe(subjectId);
    const both = await createTag(server, acme, { tagString: another('tag'), externalId, subjectId });
    expect(both.statusCode).toBe(201);
  });

  it.each(['pending', 'claims', 'tags', 'consent', 'federation', 'transactions'])(
    'may be named like a part of a path: %s',
    async (tagString) => {
      const acme = await newApplication(server);
      const made = await createTag(server, acme, { tagString, subjectId: await newSubject(server, acme) });
      expect(made.statusCode).toBe(201);
      expect((await server.call('GET', `/api/v1/tags/${tagString}`)).json().data.tagString).toBe(tagString);
    },
  );

  it('409: gives one handle to one, though fifty ask at once', async () => {
    const makers = await Promise.all(Array.from({ length: 5 }, () => newApplication(server)));
    const subjects = await Promise.all(makers.map((maker) => newSubject(server, maker)));
    const tagString = another('tag');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const maker = makers[index % makers.length];
        if (maker === undefined) throw new Error('no maker');
        return createTag(server, maker, { tagString, subjectId: subjects[index % makers.length] });
      }),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused).toHaveLength(49);
    for (const answer of refused) expect(answer.json()).toMatchObject({ errorCode: 'TAG_ALREADY_EXISTS', data: null });
  });

  it('409: is one namespace with PayTags, either way', async () => {
    const acme = await newApplication(server);
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    const subjectId = await newSubject(server, acme);
    expect((await createTag(server, acme, { tagString: person.paytag, subjectId })).statusCode).toBe(409);
    const tagString = another('tag');
    await createTag(server, acme, { tagString, subjectId });
    expect((await createPayTag(server, partner, { ...newPerson(), paytag: tagString })).json()).toMatchObject({
      errorCode: 'PAYTAG_TAKEN',
    });
  });
});
