import { beforeAll, describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/clients';
import { type Answer, useApp, useSharedApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import {
  answerConsent,
  claimsSeenBy,
  consentInPerson,
  endClaim,
  eventsFor,
  newClaim,
  newSides,
} from '../../support/claims.ts';
import { createPayTag, customerToken, newCustomer, newPerson } from '../../support/onboarding.ts';
import { another, createTag, newSubject } from '../../support/tags.ts';

const server = useSharedApp();

describe('GET /tags/{tag}', () => {
  const resolve = (address: string, headers: Record<string, string> = {}) =>
    server.call('GET', `/api/v1/tags/${encodeURIComponent(address)}`, { headers });
  const operate = (handle: string, what: 'suspend' | 'close') =>
    server.operate('POST', `/tags/${handle}/${what}`, { reason: 'a test' });

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

describe('DELETE /tags/{tag}', () => {
  const close = ({ headers }: TestApplication, tag: string) =>
    server.call('DELETE', `/api/v1/tags/${tag}`, { headers });

  it('closes the tag for everybody, and ends what was pending on it', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await close(sides.owner, sides.tag);
    expect(answer.json()).toMatchObject({ success: true, data: null });
    for (const headers of [{}, sides.owner.headers]) {
      expect((await server.call('GET', `/api/v1/tags/${sides.tag}`, { headers })).statusCode).toBe(404);
    }
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toBeNull();
    expect((await eventsFor(server, sides.requester)).at(-1)).toMatchObject({
      event: 'CONSENT_REJECTED',
      reference: claim.id,
    });
    expect((await server.call('GET', `/api/v1/consent/${claim.consentToken}`)).statusCode).toBe(404);
    const payload = { tagString: sides.tag, subjectId: await newSubject(server, sides.owner) };
    expect((await createTag(server, sides.owner, payload)).json().errorCode).toBe('TAG_ALREADY_EXISTS');
  });
});

describe('GET /tags/{tag} with a bad token', () => {
  const alone = useApp();
  const resolve = (address: string, headers: Record<string, string> = {}) =>
    alone.call('GET', `/api/v1/tags/${address}`, { headers });

  const tokens = async () => {
    const suspended = await newSides(alone);
    await alone.operate('POST', `/applications/${suspended.owner.applicationId}/suspend`, { reason: 'a test' });
    const partner = await alone.newPartner();
    const { paytag } = await newCustomer(alone, partner);
    return {
      'of a suspended application': suspended.owner.headers.authorization,
      'of a customer': `Bearer ${await customerToken(alone, partner, paytag)}`,
      'not signed by us': 'Bearer x.y.z',
      'cut short': suspended.requester.headers.authorization.slice(0, -2),
      malformed: 'Bearer',
      'of another scheme': 'Basic YTpi',
      'of no scheme': 'nonsense',
    };
  };

  it('a token that is not good: answers what anybody gets, and says that the token was not good', async () => {
    const sides = await newSides(alone);
    const withoutTime = (answer: Answer) => ({ ...answer.json<object>(), timestamp: '' });
    const [anybody, nobody] = [await resolve(sides.tag), await resolve('nobody-here')];
    const { etag, vary, 'cache-control': cacheControl } = anybody.headers;
    for (const [what, authorization] of Object.entries(await tokens())) {
      const answer = await resolve(sides.tag, { authorization });
      expect([what, answer.statusCode, withoutTime(answer)]).toEqual([what, 200, withoutTime(anybody)]);
      const invalid = { 'www-authenticate': 'Bearer error="invalid_token"' };
      expect(answer.headers).toMatchObject({ etag, vary, 'cache-control': cacheControl, ...invalid });
      const unchanged = await resolve(sides.tag, { authorization, 'if-none-match': String(etag) });
      expect([unchanged.statusCode, unchanged.headers['vary']]).toEqual([304, 'Authorization']);
      const unknown = await resolve('nobody-here', { authorization });
      expect([unknown.statusCode, unknown.json().message]).toEqual([404, nobody.json().message]);
      expect(unknown.headers).toMatchObject(invalid);
    }
    expect(anybody.headers).not.toHaveProperty('www-authenticate');
  });

  it('an expired token: shows the owner’s application only the public view once its token has expired', async () => {
    const sides = await newSides(alone);
    await newClaim(alone, sides);
    expect((await resolve(sides.tag, sides.owner.headers)).json().data.activeClaims).toHaveLength(1);
    alone.clock.advance(3_600_000);
    const answer = await resolve(sides.tag, sides.owner.headers);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Authorization' });
    expect(answer.json().data).toMatchObject({ tagString: sides.tag, activeClaims: [] });
  });
});

describe('GET /tags/{tag}, limited', () => {
  const alone = useApp({ RATE_LIMIT_RESOLVES_PER_S: '40', TRUSTED_PROXIES: '10.0.0.1' });
  beforeAll(() => alone.clock.stop());
  const resolve = (address: string, remoteAddress: string, headers: Record<string, string> = {}) =>
    alone.call('GET', `/api/v1/tags/${address}`, { remoteAddress, headers });

  /** Spends the limit of an address on tags that nobody has. */
  async function guess(remoteAddress: string, headers: Record<string, string> = {}): Promise<number[]> {
    const statuses: number[] = [];
    for (let miss = 0; miss < 3; miss++) {
      statuses.push((await resolve(`nobody-${miss}`, remoteAddress, headers)).statusCode);
    }
    return statuses;
  }

  it('429: stops who guesses tags after two misses in a second, also before one that is there', async () => {
    const { paytag } = await newCustomer(alone, await alone.newPartner());
    expect(await guess('203.0.113.1')).toEqual([404, 404, 429]);
    const refused = await resolve(paytag, '203.0.113.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json()).toMatchObject({ success: false, data: null, errorCode: 'TOO_MANY_REQUESTS' });
    expect((await resolve(paytag, '203.0.113.2')).statusCode).toBe(200);
    alone.clock.advance(1_000);
    expect((await resolve(paytag, '203.0.113.1')).statusCode).toBe(200);
  });

  it('429: lets through forty of those who know their tags', async () => {
    const { paytag } = await newCustomer(alone, await alone.newPartner());
    const answers = await Promise.all(Array.from({ length: 41 }, () => resolve(paytag, '203.0.113.3')));
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(40).fill(200), 429]);
  });

  it('429: counts a whole IPv6 network as one address', async () => {
    const guesses = [];
    for (let host = 1; host <= 3; host++) guesses.push(await resolve('nobody', `2001:db8:1:2::${host}`));
    expect(guesses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 429]);
    expect((await resolve('nobody', '2001:db8:1:3::1')).statusCode).toBe(404);
  });

  it('429: counts the address that a trusted proxy tells of, and no other’s word', async () => {
    expect(await guess('10.0.0.1', { 'x-forwarded-for': '203.0.113.4' })).toContain(429);
    expect((await resolve('nobody', '10.0.0.1', { 'x-forwarded-for': '203.0.113.5' })).statusCode).toBe(404);
    expect(await guess('203.0.113.6', { 'x-forwarded-for': '203.0.113.7' })).toContain(429);
    expect((await resolve('nobody', '203.0.113.6', { 'x-forwarded-for': '203.0.113.8' })).statusCode).toBe(429);
  });
});
