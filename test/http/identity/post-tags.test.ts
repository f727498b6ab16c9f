import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { another, createTag, newSubject } from '../../support/tags.ts';

const server = useSharedApp();

describe('201', () => {
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
});

describe('409', () => {
  it('gives one handle to one, though fifty ask at once', async () => {
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

  it('is one namespace with PayTags, either way', async () => {
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
