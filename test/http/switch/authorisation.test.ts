import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, useApp, useSharedApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';
import {
  answerConsent,
  askForClaim,
  claimsSeenBy,
  federate,
  newClaim,
  newEnds,
  newLink,
  newSides,
  refusal,
  type TestClaim,
} from '../../support/claims.ts';
import { type Document, operationsOf } from '../../support/described.ts';
import { refusalOf } from '../../support/refusals.ts';
import { initiate, newSide, type TransactionOut, walletTotals } from '../../support/switch.ts';
import { createTag, newSubject, newTag } from '../../support/tags.ts';
import { everythingOf, newWorld, type World } from '../switch-world.ts';

describe('who may do what', () => {
  const server = useSharedApp();

  type Role = 'primary' | 'secondary' | 'stranger';
  /** Looks at what a role is answered: a refusal, or what it may see. */
  type Expected = (answer: Answer, world: World) => void;

  interface Row {
    url: (world: World) => string;
    payload?: (world: World) => object;
    /** Those that may not do it, or see less; a role that is not named may do it, as the tests of the operation show. */
    roles: Partial<Record<Role, Expected>>;
  }

  const refused =
    (status: number, errorCode: string): Expected =>
    (answer) =>
      expect([answer.statusCode, answer.json<{ errorCode: string }>().errorCode]).toEqual([status, errorCode]);
  const data = (answer: Answer): unknown => answer.json<{ data: unknown }>().data;
  const noProfile = (answer: Answer, { secondary, pending }: World) => {
    expect(answer.statusCode).toBe(200);
    expect(data(answer)).toMatchObject({ tagString: secondary.tag, activeClaims: [{ state: 'APPROVED' }] });
    for (const hidden of ['externalId', 'subjectExternalId', 'email', 'metadata', pending.id, pending.consentToken]) {
      expect(answer.body).not.toContain(hidden);
    }
  };
  const nothing = (answer: Answer) => expect([answer.statusCode, data(answer)]).toEqual([200, []]);
  const noTransaction = (answer: Answer) => {
    expect([answer.statusCode, data(answer)]).toMatchObject([200, { totalElements: 0, content: [] }]);
  };
  const noWebhook = (answer: Answer) => {
    expect([answer.statusCode, data(answer)]).toMatchObject([200, { pending: 0 }]);
  };
  const noReturnUrls = (answer: Answer) => {
    expect([answer.statusCode, data(answer)]).toEqual([200, { returnUrls: [] }]);
  };
  /** Events of a claim, a link and a transaction, and of the claim before. */
  const ownWebhook = (answer: Answer) => {
    expect([answer.statusCode, data(answer)]).toMatchObject([200, { pending: 4 }]);
  };
  const ownWallet = (answer: Answer) => {
    expect([answer.statusCode, data(answer)]).toMatchObject([200, { totalAmount: 1_000_000, suspendedAmount: 0 }]);
  };
  const none = {
    primary: refused(403, 'NOT_PERMITTED'),
    stranger: refused(404, 'CONSENT_NOT_FOUND'),
  } satisfies Row['roles'];
  const notYours = {
    primary: refused(403, 'NOT_PERMITTED'),
    stranger: refused(403, 'NOT_PERMITTED'),
  } satisfies Row['roles'];
  const withheld = (role: Role, errorCode: string): Row['roles'] => ({
    [role]: refused(403, 'NOT_PERMITTED'),
    stranger: refused(404, errorCode),
  });

  const claimOf = ({ secondary }: World, { id }: TestClaim) => `/tags/${secondary.tag}/claims/${id}`;
  const linkOf = ({ primary, link }: World) => `/tags/${primary.tag}/federation/${link.id}`;
  const transactionOf = ({ transaction }: World) => `/transactions/${transaction.id}`;
  const subjectOf = ({ subjectId }: World) => ({ subjectId });

  /** Every operation of the switch and of identity that asks who calls, and what it answers to whom it does not concern. */
  const matrix: Record<string, Row> = {
    'GET /tags/{tag}': {
      url: ({ secondary }) => `/tags/${secondary.tag}`,
      roles: { primary: noProfile, stranger: noProfile },
    },
    'DELETE /tags/{tag}': { url: ({ secondary }) => `/tags/${secondary.tag}`, roles: notYours },
    'GET /tags/{tag}/claims': { url: ({ secondary }) => `/tags/${secondary.tag}/claims`, roles: { stranger: nothing } },
    'POST /tags/{tag}/claims': {
      url: ({ secondary }) => `/tags/${secondary.tag}/claims`,
      payload: subjectOf,
      roles: { secondary: refused(404, 'SUBJECT_NOT_FOUND'), stranger: refused(404, 'SUBJECT_NOT_FOUND') },
    },
    'POST /tags/{tag}/claims/{claimId}/cancel': {
      url: (world) => `${claimOf(world, world.pending)}/cancel`,
      roles: withheld('secondary', 'CLAIM_NOT_FOUND'),
    },
    'POST /tags/{tag}/claims/{claimId}/revoke': {
      url: (world) => `${claimOf(world, world.approved)}/revoke`,
      roles: { stranger: refused(404, 'CLAIM_NOT_FOUND') },
    },
    'GET /tags/{tag}/claims/{claimId}/attestation': {
      url: (world) => `${claimOf(world, world.approved)}/attestation`,
      roles: withheld('secondary', 'CLAIM_NOT_FOUND'),
    },
    'POST /consent/{consentToken}/approve': {
      url: ({ pending }) => `/consent/${pending.consentToken}/approve`,
      roles: { ...none, primary: refused(403, 'OWNER_CONSENT_REQUIRED') },
    },
    'POST /consent/{consentToken}/reject': {
      url: ({ pending }) => `/consent/${pending.consentToken}/reject`,
      roles: none,
    },
    'POST /tags/{tag}/federation': {
      url: ({ primary }) => `/tags/${primary.tag}/federation`,
      payload: ({ stranger }) => ({ secondaryTag: stranger.tag, verificationMethod: 'CONSENT' }),
      roles: { secondary: refused(403, 'NOT_PERMITTED'), stranger: refused(403, 'NOT_PERMITTED') },
    },
    'GET /tags/{tag}/federation': {
      url: ({ primary }) => `/tags/${primary.tag}/federation`,
      roles: { stranger: refused(404, 'FEDERATION_NOT_FOUND') },
    },
    'POST /tags/{tag}/federation/{linkId}/verify': {
      url: (world) => `${linkOf(world)}/verify`,
      payload: () => ({ token: '123456123456' }),
      roles: withheld('secondary', 'LINK_NOT_FOUND'),
    },
    'POST /tags/{tag}/federation/{linkId}/reject': {
      url: (world) => `${linkOf(world)}/reject`,
      roles: withheld('primary', 'LINK_NOT_FOUND'),
    },
    'DELETE /tags/{tag}/federation/{linkId}': { url: linkOf, roles: withheld('secondary', 'LINK_NOT_FOUND') },
    'GET /wallet': { url: () => '/wallet', roles: { secondary: ownWallet, stranger: ownWallet } },
    'POST /transactions': {
      url: () => '/transactions',
      payload: ({ primary, secondary, stranger }) => ({
        senderTag: primary.tag,
        senderAppId: stranger.applicationId,
        receiverTag: secondary.tag,
        amount: 1,
        currency: 'NGN',
      }),
      roles: { secondary: refused(403, 'NOT_PERMITTED'), stranger: refused(403, 'NOT_PERMITTED') },
    },
    'GET /transactions': {
      url: ({ transaction }) => `/transactions?reference=${transaction.reference}`,
      roles: { secondary: nothing, stranger: nothing },
    },
    'GET /transactions/pending': {
      url: () => '/transactions/pending',
      roles: { primary: noTransaction, stranger: noTransaction },
    },
    'GET /transactions/{id}': { url: transactionOf, roles: { stranger: refused(404, 'TRANSACTION_NOT_FOUND') } },
    'POST /transactions/{id}/accept': {
      url: (world) => `${transactionOf(world)}/accept`,
      roles: withheld('primary', 'TRANSACTION_NOT_FOUND'),
    },
    'POST /transactions/{id}/reject': {
      url: (world) => `${transactionOf(world)}/reject`,
      payload: () => ({ rejectionReason: 'not mine' }),
      roles: withheld('primary', 'TRANSACTION_NOT_FOUND'),
    },
    'POST /transactions/{id}/cancel': {
      url: (world) => `${transactionOf(world)}/cancel`,
      roles: withheld('secondary', 'TRANSACTION_NOT_FOUND'),
    },
    'POST /applications/secret/rotate': {
      url: () => '/applications/secret/rotate',
      payload: ({ primary }) => ({ client_secret: primary.client_secret }),
      roles: { secondary: refused(401, 'INVALID_CLIENT'), stranger: refused(401, 'INVALID_CLIENT') },
    },
    'GET /applications/webhook': {
      url: () => '/applications/webhook',
      roles: { secondary: ownWebhook, stranger: noWebhook },
    },
    'PUT /applications/webhook': {
      url: () => '/applications/webhook',
      payload: ({ secondary }) => ({ url: null, applicationId: secondary.applicationId }),
      roles: { stranger: noWebhook },
    },
    'GET /applications/return-urls': {
      url: () => '/applications/return-urls',
      roles: { secondary: noReturnUrls, stranger: noReturnUrls },
    },
    'PUT /applications/return-urls': {
      url: () => '/applications/return-urls',
      payload: ({ secondary }) => ({ returnUrls: [], applicationId: secondary.applicationId }),
      roles: { stranger: noReturnUrls },
    },
    'POST /subjects': {
      url: () => '/subjects',
      payload: ({ primary }) => ({ externalId: 'hers', applicationId: primary.applicationId }),
      roles: {
        stranger: (answer, { stranger }) => {
          expect([answer.statusCode, data(answer)]).toMatchObject([201, { applicationId: stranger.applicationId }]);
        },
      },
    },
    'POST /tags': {
      url: () => '/tags',
      payload: (world) => ({ tagString: 'of-another', ...subjectOf(world) }),
      roles: { secondary: refused(404, 'SUBJECT_NOT_FOUND'), stranger: refused(404, 'SUBJECT_NOT_FOUND') },
    },
  };

  describe('an application reads, enumerates and moves nothing of another’s', () => {
    let world: World;
    beforeAll(async () => {
      world = await newWorld(server);
    });

    const cells = Object.entries(matrix).flatMap(([name, row]) =>
      Object.entries(row.roles).map(([role, expected]) => ({ name, row, role: role as Role, expected })),
    );

    it.each(cells)('$name by the $role', async ({ name, row, role, expected }) => {
      const before = await everythingOf(server);
      const { headers } = world[role];
      const payload = row.payload?.(world);
      const answer = await server.call(name.split(' ')[0] as 'GET', `/api/v1${row.url(world)}`, {
        headers,
        ...(payload === undefined ? {} : { payload }),
      });
      expected(answer, world);
      expect(await everythingOf(server)).toBe(before);
    });

    it('is asked of every operation that is behind an application token, and of no other', async () => {
      const document = (await server.call('GET', '/api/openapi.json')).json<Document>();
      const guarded = operationsOf(document).filter(({ operation }) =>
        operation.security?.some((one) => 'application' in one),
      );
      const named = guarded.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
      expect(Object.keys(matrix).toSorted()).toEqual(named.toSorted());
    });

    it('shows neither side of a transaction the deliveries to the other', async () => {
      for (const { applicationId, headers } of [world.primary, world.secondary]) {
        const url = `/api/v1${transactionOf(world)}`;
        const { webhooks } = (await server.call('GET', url, { headers })).json<{ data: TransactionOut }>().data;
        expect(webhooks.every((delivery) => delivery.applicationId === applicationId)).toBe(true);
      }
    });
  });
});

describe('hostile requests', () => {
  const server = useApp();

  const get = (path: string, headers: Record<string, string> = {}) => server.call('GET', `/api/v1${path}`, { headers });

  describe('addresses', () => {
    it('are the same with an invisible character in them, which came along when they were copied', async () => {
      for (const mark of ['%E2%80%8B', '%E2%80%8E', '%EF%BB%BF']) {
        expect((await get(`/tags/${mark}${tag.slice(0, 2)}${mark}${tag.slice(2)}${mark}`)).statusCode).toBe(200);
      }
    });

    let tag = '';
    let namespace = '';
    beforeAll(async () => {
      const application = await newApplication(server, 'Addressed');
      namespace = application.namespace;
      tag = await newTag(server, application);
    });

    it.each<[string, (handle: string) => string]>([
      ['in capitals', (handle) => handle.toUpperCase()],
      ['with its @ escaped', (handle) => `%40${handle}`],
      ['with its namespace in capitals', (handle) => `${handle}@${namespace.toUpperCase()}`],
      ['with every letter escaped', (handle) => handle.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)],
      ['with a blank before and a line break after it', (handle) => `%20${handle}%0a`],
      ['with a query that means nothing', (handle) => `${handle}?tag=nobody`],
    ])('%s finds the tag', async (_, written) => {
      const answer = await get(`/tags/${written(tag)}`);
      expect(answer.json()).toMatchObject({ success: true, data: { tagString: tag } });
    });

    it.each<[string, (handle: string) => string]>([
      ['escaped twice', (handle) => `%2540${handle}`],
      ['with a NUL', (handle) => `${handle}%00`],
      ['with a blank inside', (handle) => `${handle.slice(0, 2)}%20${handle.slice(2)}`],
      ['with a line break inside', (handle) => `${handle.slice(0, 2)}%0a${handle.slice(2)}`],
      ['with a slash', (handle) => `${handle}%2f`],
      ['with a way up', (handle) => `x%2f..%2f${handle}`],
      ['with a Cyrillic look-alike', (handle) => `${handle}%D0%B0`],
      ['with a fullwidth letter', (handle) => `%EF%BD%81${handle}`],
      ['with a Kelvin sign', (handle) => `%E2%84%AA${handle}`],
      ['with two @', (handle) => `@@${handle}`],
      ['with an empty namespace', (handle) => `${handle}@`],
      ['with another namespace', (handle) => `${handle}@paytag`],
      ['with two namespaces', (handle) => `${handle}@${namespace}@${namespace}`],
      ['with what SQL would read', (handle) => `${handle}'%20or%20'1'='1`],
      ['with a wildcard', (handle) => `${handle.slice(0, -1)}%25`],
    ])('%s belongs to no one', async (_, written) => {
      expect(refusalOf(await get(`/tags/${written(tag)}`))).toEqual([404, 'TAG_NOT_FOUND']);
    });

    it.each(['%2e%2e', '%2e%2e/%2e%2e/operator/v1/partners', '..%5c..'])('%s leads nowhere', async (path) => {
      const answer = await get(`/tags/${path}`);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ success: false, data: null });
    });

    it.each(['%', '%zz', '%E0%A4', '%C0%AE'])(
      '%s, which is not well encoded, is refused in the Envelope',
      async (path) => {
        const answer = await get(`/tags/${path}`);
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toMatchObject({ success: false, data: null, errorCode: 'BAD_REQUEST' });
      },
    );

    it('a refusal is in the Envelope though the path is written with escapes', async () => {
      const answer = await server.app.inject({ method: 'GET', url: '/%61pi/v1/tags/nobody-here' });
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { data: null, errorCode: 'TAG_NOT_FOUND' }]);
    });

    it.each(['pending', 'claims', 'federation', 'consent', 'constructor', 'tags'])(
      'a tag named like a route, %s, is a tag like any other',
      async (tagString) => {
        const [owner, asker] = [await newApplication(server), await newApplication(server)];
        const subjectId = await newSubject(server, owner);
        expect((await createTag(server, owner, { tagString, subjectId })).statusCode).toBe(201);
        expect((await get(`/tags/${tagString}`)).json().data).toMatchObject({ tagString, status: 'ACTIVE' });
        const claimed = await askForClaim(server, asker, tagString, { subjectId: await newSubject(server, asker) });
        expect(claimed.statusCode).toBe(201);
        expect(await claimsSeenBy(server, owner, tagString)).toHaveLength(1);
        const closed = await server.call('DELETE', `/api/v1/tags/${tagString}`, { headers: owner.headers });
        expect(closed.statusCode).toBe(200);
      },
    );
  });

  it('an approval link that is fetched in advance, replayed, or tried with another method approves nothing', async () => {
    const sides = await newSides(server);
    const { consentToken } = await newClaim(server, sides);
    const { headers } = sides.owner;
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'GET'] as const) {
      for (const path of ['', '/approve', '/reject', '/code']) {
        await server.app.inject({ method, url: `/api/v1/consent/${consentToken}${path}`, headers });
      }
    }
    expect(await claimsSeenBy(server, sides.requester, sides.tag)).toMatchObject([{ state: 'PENDING' }]);
    expect((await answerConsent(server, sides.owner, consentToken, 'approve')).statusCode).toBe(200);
    for (const what of ['approve', 'reject'] as const) {
      const again = await answerConsent(server, sides.owner, consentToken, what);
      expect(refusal(again)).toEqual([409, 'CONSENT_NOT_PENDING']);
    }
    const stolen = await answerConsent(server, sides.stranger, consentToken, 'approve');
    expect(refusal(stolen)).toEqual([404, 'CONSENT_NOT_FOUND']);
  });

  it('a sender, fee or status in the body changes nothing', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const forged = {
      senderAppId: market.applicationId,
      applicationId: market.applicationId,
      status: 'ACCEPTED',
      fee: -5,
    };
    const answer = await initiate(server, acme, { receiverTag: market.tag, ...forged });
    expect(answer.json().data).toMatchObject({
      senderAppId: acme.applicationId,
      status: 'AWAITING_ACCEPTANCE',
      fee: 0,
    });
    const foreign = await initiate(server, acme, { senderTag: market.tag, receiverTag: acme.tag, ...forged });
    expect(refusal(foreign)).toEqual([403, 'NOT_PERMITTED']);
    expect(await walletTotals(server, market)).toMatchObject({ held: 0 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a tag is not linked to itself by another name, nor the other way round while a link is open', async () => {
    const ends = await newEnds(server);
    const { primary, secondary } = ends;
    const link = (from: typeof primary, secondaryTag: string) =>
      federate(server, from, from.tag, { secondaryTag, verificationMethod: 'consent' });
    for (const alias of [
      primary.tag,
      `@${primary.tag}`,
      primary.tag.toUpperCase(),
      `${primary.tag}@${primary.namespace}`,
    ]) {
      expect(refusal(await link(primary, alias))).toEqual([400, 'SELF_FEDERATION']);
    }
    await newLink(server, ends);
    expect(refusal(await link(primary, secondary.tag))).toEqual([409, 'LINK_EXISTS']);
    expect(refusal(await link(secondary, primary.tag))).toEqual([409, 'LINK_EXISTS']);
  });

  it('one Idempotency-Key at two applications stands for two requests', async () => {
    const key = { 'idempotency-key': 'the same' };
    const register = async ({ headers }: TestApplication) =>
      (
        await server.call('POST', '/api/v1/subjects', {
          headers: { ...headers, ...key },
          payload: { externalId: 'one' },
        })
      ).json().data;
    const [acme, market] = [await newApplication(server), await newApplication(server)];
    expect((await register(acme)).applicationId).toBe(acme.applicationId);
    expect((await register(market)).applicationId).toBe(market.applicationId);
  });

  it('no entity tag makes the owner’s view, or what changed, seem unchanged', async () => {
    const { owner, tag } = await newSides(server);
    const etag = String((await get(`/tags/${tag}`)).headers['etag']);
    const opaque = etag.replace('W/', '');
    for (const known of [etag, opaque, '*', `"x", ${etag}`]) {
      expect((await get(`/tags/${tag}`, { 'if-none-match': known })).statusCode).toBe(304);
      const own = await get(`/tags/${tag}`, { ...owner.headers, 'if-none-match': known });
      expect([own.statusCode, own.headers['cache-control'], own.headers['etag']]).toEqual([200, 'no-store', undefined]);
      expect((await get('/tags/nobody-here', { 'if-none-match': known })).statusCode).toBe(404);
    }
    for (const other of ['"x"', '', 'W/', `${opaque}x`]) {
      expect((await get(`/tags/${tag}`, { 'if-none-match': other })).statusCode).toBe(200);
    }
  });

  it.each([
    'sort=id;drop',
    'sort=id%00',
    'sort=__proto__',
    'sort=constructor',
    'sort=amount)--',
    'sort=amount,asc,desc',
  ])('pending transactions are not sorted by %s', async (query) => {
    const { headers } = await newApplication(server);
    const answer = await get(`/transactions/pending?${query}`, headers);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { errorCode: 'INVALID_PARAMETER', data: null }]);
  });
});
