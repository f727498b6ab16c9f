import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, useApp } from '../support/app.ts';
import { answerConsent, askForClaim, type TestClaim } from '../support/claims.ts';
import { type Document, operationsOf } from '../support/described.ts';
import { type Ends, newEnds, newLink, type TestLink } from '../support/federations.ts';
import { offer, type TransactionOut } from '../support/switch.ts';
import { newSubject } from '../support/tags.ts';

const server = useApp();

/** What two applications have with each other, and a third that it does not concern. */
interface World extends Ends {
  /** Of the primary, which asks and pays; the secondary is asked and paid. */
  subjectId: string;
  pending: TestClaim;
  approved: TestClaim;
  link: TestLink;
  transaction: TransactionOut;
}
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

async function newWorld(): Promise<World> {
  const ends = await newEnds(server);
  const { primary, secondary } = ends;
  const ask = async (subjectId: string) =>
    (await askForClaim(server, primary, secondary.tag, { subjectId })).json<{ data: TestClaim }>().data;
  const approved = await ask(await newSubject(server, primary));
  await answerConsent(server, secondary, approved.consentToken, 'approve');
  const subjectId = await newSubject(server, primary);
  return {
    ...ends,
    subjectId,
    approved,
    pending: await ask(await newSubject(server, primary)),
    link: await newLink(server, ends),
    transaction: await offer(server, { ...primary, name: 'Acme' }, { ...secondary, name: 'Bola Bank' }),
  };
}

/** All that anybody could have changed, as text. */
async function everything(): Promise<string> {
  const tables = ['claims.claim', 'federations.link', 'transactions.switch_transaction', 'tags.tag', 'outbox.event'];
  const read = [...tables, 'ledger.hold', 'ledger.entry', 'applications.application'].map(async (table) => {
    const { rows } = await server.resources.pool.query(`select to_jsonb(t) as row from ${table} t order by 1`);
    return `${table}: ${JSON.stringify(rows)}`;
  });
  return (await Promise.all(read)).join('\n');
}

describe('an application reads, enumerates and moves nothing of another’s', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });

  const cells = Object.entries(matrix).flatMap(([name, row]) =>
    Object.entries(row.roles).map(([role, expected]) => ({ name, row, role: role as Role, expected })),
  );

  it.each(cells)('$name by the $role', async ({ name, row, role, expected }) => {
    const before = await everything();
    const { headers } = world[role];
    const payload = row.payload?.(world);
    const answer = await server.call(name.split(' ')[0] as 'GET', `/api/v1${row.url(world)}`, {
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    expected(answer, world);
    expect(await everything()).toBe(before);
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
