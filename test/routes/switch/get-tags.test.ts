import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { tag } from '#modules/tags';
import { useApp } from '../../support/app.ts';
import { answerConsent, consentInPerson, endClaim, newClaim, newSides } from '../../support/claims.ts';
import { createPayTag, newCustomer, newPerson } from '../../support/onboarding.ts';
import { newSubject } from '../../support/tags.ts';

const server = useApp();
const resolve = (address: string, headers: Record<string, string> = {}) =>
  server.call('GET', `/api/v1/tags/${encodeURIComponent(address)}`, { headers });
const setStatus = (handle: string, status: 'SUSPENDED' | 'CLOSED') =>
  server.resources.db.update(tag).set({ status }).where(eq(tag.handle, handle));

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
    for (const address of [`@${paytag}`, paytag.toUpperCase(), `${paytag}@paytag`, `@${paytag}@PayTag`]) {
      const answer = await resolve(address);
      expect(answer.json()).toMatchObject({ success: true, data: { tagString: paytag } });
    }
  });

  it('shows the claims that the owner consented to, without anybody’s private names, and no others', async () => {
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
    await setStatus(paytag, 'SUSPENDED');
    const { data } = (await resolve(paytag)).json<{ data: object }>();
    expect(data).toMatchObject({ tagString: paytag, status: 'SUSPENDED' });
    expect(data).not.toHaveProperty('canonicalOwner');
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
    await setStatus(paytag, 'SUSPENDED');
    expect((await resolve(paytag, { 'if-none-match': etag })).statusCode).toBe(200);
  });
});

describe('404', () => {
  it.each(['nobody-here', 'a', 'no such tag', 'ada@acme', '@@ada', 'ada@paytag@paytag', 'a\0b', '🦜', 'ada@'])(
    'knows no tag by the address %j',
    async (address) => {
      const answer = await resolve(address);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ success: false, data: null, errorCode: 'TAG_NOT_FOUND' });
    },
  );

  it('knows no tag in another namespace than its owner’s, and no closed tag', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    expect((await resolve(`${paytag}@acme`)).statusCode).toBe(404);
    await setStatus(paytag, 'CLOSED');
    expect((await resolve(paytag)).statusCode).toBe(404);
  });
});
