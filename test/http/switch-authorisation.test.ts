import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, useSharedApp } from '../support/app.ts';
import type { TestClaim } from '../support/claims.ts';
import { type Document, operationsOf } from '../support/described.ts';
import type { TransactionOut } from '../support/switch.ts';
import { everythingOf, newWorld, type World } from './switch-world.ts';

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
