import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { useSharedApp } from '../../support/app.ts';
import { answerConsent, consentInPerson, endClaim, newClaim, newSides } from '../../support/claims.ts';
import { createPayTag, newCustomer, newPerson } from '../../support/onboarding.ts';
import { another, createTag, newSubject } from '../../support/tags.ts';

const server = useSharedApp();
const resolve = (address: string, headers: Record<string, string> = {}) =>
  server.call('GET', `/api/v1/tags/${encodeURIComponent(address)}`, { headers });
const operate = (handle: string, what: 'suspend' | 'close') =>
  server.operate('POST', `/tags/${handle}/${what}`, { reason: 'a test' });

describe('200', () => {
  it('shows the public profile and ownership of a PayTag, and nothing private, to anybody', async () => {
    const person = newPerson();
    const given = {
      ...person,
      otherName: 'Ngozi',
      imageUrl: 'https://img.example/ada.png',
      address: '1 Marina, Lagos',
    };
    await createPayTag(server, await server.newPartner(), given);
    const answer = await resolve(person.paytag);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'cache-control': 'no-cache',
      vary: 'Authorization',
    });
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
      data: {
        id: uuid,
        tagString: person.paytag,
        qualifiedAddress: `${person.paytag}@paytag`,
        status: 'ACTIVE',
        canonicalOwner: {
          id: uuid,
          applicationId: payTagApplicationId,
          applicationName: 'PayTag',
          displayName: 'Ada Ngozi Obi',
          imageUrl: 'https://img.example/ada.png',
          createdAt: expect.any(String),
        },
        createdByAppId: payTagApplicationId,
        createdByAppName: 'PayTag',
        activeClaims: [],
        createdAt: expect.any(String),
      },
    });
    for (const secret of [person.bvn, person.phone, person.email, person.dateOfBirth, 'Marina']) {
      expect(answer.body).not.toContain(secret);
    }
  });

  it('takes an address with its @, in capitals, and with its namespace', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    const encoded = `%40${paytag}%40paytag`;
    expect((await server.call('GET', `/api/v1/tags/${encoded}`)).json().data.tagString).toBe(paytag);
    for (const address of [`@${paytag}`, paytag.toUpperCase(), `${paytag}@paytag`, `@${paytag}@PayTag`]) {
      const answer = await resolve(address);
      expect(answer.json()).toMatchObject({ success: true, data: { tagString: paytag } });
    }
  });

  it('shows the claims that the owner consented to, without private names, and no others', async () => {
    const sides = await newSides(server);
    const approved = await newClaim(server, sides);
    await consentInPerson(server, approved);
    await answerConsent(server, sides.owner, approved.consentToken, 'approve');
    const pending = await newClaim(server, { ...sides, subjectId: await newSubject(server, sides.requester) });
    const answer = await resolve(sides.tag);
    expect(answer.json<{ data: { activeClaims: object[] } }>().data.activeClaims).toEqual([
      {
        id: approved.id,
        tagId: approved.tagId,
        tagString: sides.tag,
        subjectId: sides.subjectId,
        requestedByAppId: sides.requester.applicationId,
        requestedByAppName: 'Shop',
        state: 'APPROVED',
        requestedAt: expect.any(String),
        approvedAt: expect.any(String),
      },
    ]);
    expect(answer.body).not.toContain(pending.id);
    await endClaim(server, sides.owner, approved, 'revoke');
    expect((await resolve(sides.tag)).json()).toMatchObject({ data: { activeClaims: [] } });
  });

  it('shows a suspended tag without the profile', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    await operate(paytag, 'suspend');
    const { data } = (await resolve(paytag)).json<{ data: object }>();
    expect(data).toMatchObject({ tagString: paytag, status: 'SUSPENDED' });
    expect(data).not.toHaveProperty('canonicalOwner');
  });
});

describe('200 with the token of the owner’s application', () => {
  it('shows everything: the owner’s own subject, and pending claims with their consent tokens', async () => {
    const sides = await newSides(server);
    const given = {
      externalId: 'ada',
      displayName: 'Ada Obi',
      email: 'ada.private@example.com',
      metadata: { tier: 2 },
    };
    const tag = another('tag');
    await createTag(server, sides.owner, { tagString: tag, subjectId: await newSubject(server, sides.owner, given) });
    const approved = await newClaim(server, { ...sides, tag });
    await answerConsent(server, sides.owner, approved.consentToken, 'approve');
    const pending = await newClaim(server, { ...sides, tag, subjectId: await newSubject(server, sides.requester) });

    const own = await resolve(tag, sides.owner.headers);
    expect(own.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Authorization' });
    expect(own.headers).not.toHaveProperty('etag');
    expect(own.json().data).toMatchObject({
      tagString: tag,
      canonicalOwner: given,
      activeClaims: [pending, { id: approved.id, state: 'APPROVED', subjectExternalId: expect.any(String) }],
    });

    for (const headers of [{}, sides.requester.headers, sides.stranger.headers]) {
      const answer = await resolve(tag, headers);
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Authorization' });
      const { data } = answer.json();
      expect(data.activeClaims).toEqual([
        {
          id: approved.id,
          tagId: approved.tagId,
          tagString: tag,
          subjectId: sides.subjectId,
          requestedByAppId: sides.requester.applicationId,
          requestedByAppName: 'Shop',
          state: 'APPROVED',
          requestedAt: expect.any(String),
          approvedAt: expect.any(String),
        },
      ]);
      for (const hidden of [given.email, 'tier', 'externalId', 'ExternalId', 'onsentToken', pending.id]) {
        expect(answer.body).not.toContain(hidden);
      }
    }
  });

  it('shows a revoked claim to nobody, at once', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    await endClaim(server, sides.requester, claim, 'revoke');
    for (const headers of [{}, sides.owner.headers]) {
      expect((await resolve(sides.tag, headers)).json().data.activeClaims).toEqual([]);
    }
  });

  it('shows its own suspended tag whole, and to others neither profile nor claims', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    await operate(sides.tag, 'suspend');
    const own = (await resolve(sides.tag, sides.owner.headers)).json().data;
    expect(own).toMatchObject({ status: 'SUSPENDED', canonicalOwner: {}, activeClaims: [{ id: claim.id }] });
    const shown = (await resolve(sides.tag)).json().data;
    expect(shown).toMatchObject({ status: 'SUSPENDED', activeClaims: [] });
    expect(shown).not.toHaveProperty('canonicalOwner');
  });
});

describe('304', () => {
  it('says that nothing changed since the entity tag, and what did when something has', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    const etag = String((await resolve(paytag)).headers['etag']);
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const answer = await resolve(paytag, { 'if-none-match': known });
      expect(answer.statusCode).toBe(304);
      expect(answer.body).toBe('');
      expect(answer.headers['etag']).toBe(etag);
    }
    await operate(paytag, 'suspend');
    expect((await resolve(paytag, { 'if-none-match': etag })).statusCode).toBe(200);
  });
});
