import { beforeAll, expect, it } from 'vitest';
import { generateLargeSet } from '../bench/large/generate.ts';
import {
  type Good,
  type GoodRequests,
  goodRequestsOfPartners,
  goodRequestsOfSso,
  goodRequestsOfSwitch,
} from '../http/every-operation/good-requests.ts';
import { goodRequestsOfOperator } from '../http/every-operation/good-requests-operator.ts';
import { type TestApp, useApp } from '../support/app.ts';
import { newClaim, newSides } from '../support/claims.ts';
import {
  type Explained,
  endOfLog,
  explainAll,
  explainedSince,
  nodesOf,
  type PlanNode,
  rowsReadBy,
} from '../support/plans.ts';
import { bounds } from './bounds.ts';
import { filteredReads } from './filtered-reads.ts';

/** Of ten million entries: enough that PostgreSQL plans as for all of them. */
const SCALE = 0.01;
/** No list is longer; one row more tells whether it goes on. */
const PAGE = 101;
/** Sorted at once: a page of each of two that are put together. */
const SORTED = 2 * PAGE;
/** A table that has more rows grows with use. */
const BIG = 1_000;
/**
 * More rows than a request needs of anything: as far as a page of a list looks, which is behind what it passes over. A partner's day
 * reads more on a larger set, all accounts of the partner: it adds up what is in its wallets. So does a terminal's list of splits,
 * which it counts exactly.
 */
const MANY = 10_000 + 2 * PAGE;

/** Due at once for one receiver: more than a page looks at. */
const BACKLOG = 30_000;

const server = useApp({ APPROVAL_ABOVE: '1000000' });
const good: GoodRequests = {};
const reads: Good[] = [];
const big = new Set<string>();

beforeAll(async () => {
  reads.push(...(await filteredReads(server))); // the first partner has the most rows
  const surfaces = [goodRequestsOfPartners, goodRequestsOfSso, goodRequestsOfSwitch, goodRequestsOfOperator];
  for (const surface of surfaces) Object.assign(good, await surface(server));
  await generateLargeSet(server.owner, server.resources.keyring, SCALE);
  await server.owner.query('do $$ begin while books.add_up(now()) is not null loop end loop; end $$'); // as the worker does by and by
  const { rows } = await server.owner.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname as name from pg_class where relkind = 'r' and reltuples > $1`,
    [BIG],
  );
  for (const { name } of rows) big.add(name);
  await explainAll(server.owner);
});
/** Its connections are made after that. */
const explained = useApp({ APPROVAL_ABOVE: '1000000' }, server);

const rowsOf = (node: PlanNode): number => node['Actual Rows'] * node['Actual Loops'];

/** What of a plan grows with the tables. @param sorted the most rows that a sort takes in */
function complaintsOf({ Plan, 'Query Text': text }: Explained, sorted = SORTED): string[] {
  if (text.startsWith('explain ')) return []; // an estimate of how many rows there are: planned, and not run
  return nodesOf(Plan).flatMap((node) => {
    const table = `${node.Schema}.${node['Relation Name']}`;
    const rows = rowsOf(node);
    const takenIn = Math.max(0, ...(node.Plans ?? []).map(rowsOf));
    if (node['Node Type'].includes('Seq Scan') && big.has(table)) return [`reads all of ${table}`];
    if (node['Node Type'].includes('Sort') && takenIn > sorted) return [`sorts ${takenIn} rows`];
    if (rows > MANY) return [`reads ${rows} rows (${node['Node Type']})`];
    return [];
  });
}

/** What sorts more than a page: as much as a page of a list looks at, here. */
const sorting: readonly RegExp[] = [
  // ten thousand at most, and of more it is refused
  /\/transactions\/pending\?sort=/,
];

/** Operations that may ask the database nothing, where who calls is remembered. */
const askingNothing = new Set(Object.keys(bounds).filter((operation) => bounds[operation]?.[0] === 0));

/**
 * What grows of the statements that a request runs.
 *
 * @param asksNothing whether it may run none
 * @throws Error unless it succeeds, or finds that it was done before; and when none of its statements was explained
 */
async function complaintsAbout(
  method: string,
  { url, headers, query = {}, body }: Good,
  asksNothing = false,
): Promise<string[]> {
  const sorted = sorting.some((one) => one.test(url)) ? MANY : SORTED;
  const asked = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  const from = await endOfLog(server.owner);
  const answer = await explained.call(
    method as Parameters<TestApp['call']>[0],
    asked === '' ? url : `${url}?${asked}`,
    {
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    },
  );
  const statements = await explainedSince(server.owner, from);
  if (answer.statusCode >= 400 && answer.statusCode !== 409)
    throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
  if (statements.length === 0 && !asksNothing) throw new Error(`${method} ${url}: nothing of it was explained`);
  return statements.flatMap((one) =>
    [...new Set(complaintsOf(one, sorted))].map((what) => `${what}: ${one['Query Text'].slice(0, 700)}`),
  );
}

/** They read everything there is, or all postings of the days of a file: that is what they are for. */
const reading = new Set(['GET /operator/v1/ledger/check', 'POST /operator/v1/reconciliation/imports']);

it('a statement that does is found', async () => {
  const from = await endOfLog(server.owner);
  await explained.resources.pool.query(`select reference from outbox.event where reference = 'r' order by body`);
  const found = (await explainedSince(server.owner, from)).flatMap((one) => complaintsOf(one));
  expect(found).toContain('reads all of outbox.event');
  expect(big.size).toBeGreaterThan(15);
});

it('no operation reads a whole table that grows with use, or sorts more than a page', async () => {
  const complaints: Record<string, string[]> = {};
  for (const [name, make] of Object.entries(good)) {
    if (reading.has(name)) continue;
    const made = await make('', 'PARTNER_GATEWAY');
    const found = await complaintsAbout(name.split(' ')[0] ?? '', made, askingNothing.has(name));
    if (found.length > 0) complaints[name] = found;
  }
  expect(complaints).toEqual({});
});

it('no filter of a list does', async () => {
  const complaints: Record<string, string[]> = {};
  for (const read of reads) {
    const found = await complaintsAbout('GET', read);
    if (found.length > 0) complaints[read.url] = found;
  }
  expect(complaints).toEqual({});
});

/** Deliveries that have become due since the tables were counted, for the receiver that has the most: it does not answer. */
async function fillBacklog(): Promise<void> {
  const client = await server.owner.connect();
  try {
    await client.query(`set session_replication_role = 'replica'`);
    await client.query(
      `insert into webhooks.delivery (event_id, receiver_id, attempts, due_at)
         select d.event_id, d.receiver_id, 1, now() - interval '1 minute' + i * interval '1 millisecond'
           from generate_series(1, $1) i, (select event_id, receiver_id from webhooks.delivery
             where receiver_id = (select receiver_id from webhooks.delivery group by 1 order by count(*) desc limit 1) limit 1) d`,
      [BACKLOG],
    );
  } finally {
    client.release(true);
  }
}

it('how a receiver is doing is read in the order of indexes, however much waits for it', async () => {
  await fillBacklog();
  const own = reads.filter(({ url }) => /^\/v2\/partner\/webhook$|^\/operator\/v1\/receivers/.test(url));
  const [partner, ...operator] = own;
  if (partner === undefined || operator.length === 0) throw new Error('no read of a receiver');
  const health = await explained.call('GET', partner.url, { headers: partner.headers });
  expect(health.json()).toMatchObject({ pendingIsExact: false });
  expect(health.json<{ pending: number }>().pending).toBeGreaterThan(10_000);
  const complaints: Record<string, string[]> = {};
  for (const read of [...own, { ...partner, url: '/v2/partner/webhook/endpoints' }]) {
    const found = await complaintsAbout('GET', read);
    if (found.length > 0) complaints[read.url] = found;
  }
  expect(complaints).toEqual({});
});

/** Claims on a tag: many of one application, and very many of another before and after each. */
async function fillClaims(claimId: string, anotherId: string): Promise<void> {
  const client = await server.owner.connect();
  try {
    await client.query(`set session_replication_role = 'replica'`);
    await client.query(
      `insert into claims.claim (id, tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at, requested_at, updated_at, routing_mac)
         select uuidv7(make_interval(mins => -i)), tag_id, subject_id, case when i % 10 = 0 then requested_by_app_id else $3 end, 'REJECTED',
             sha256(i::text::bytea), now(), now() - make_interval(mins => i), now(), '\\x00'
           from claims.claim, generate_series(1, $2::int) i where id = $1`,
      [claimId, BACKLOG, anotherId],
    );
    await client.query('analyze claims.claim'); // as PostgreSQL does by itself
  } finally {
    client.release(true);
  }
}

it('the claims on a tag are read by their keys, however far a cursor leads and however many are another’s', async () => {
  const sides = await newSides(server);
  const { id } = await newClaim(server, sides);
  await fillClaims(id, sides.stranger.applicationId);
  const read: Record<string, number> = {};
  for (const [who, { headers }] of Object.entries({ owner: sides.owner, requester: sides.requester })) {
    let query = '?limit=100';
    for (let page = 1; page <= 8; page += 1) {
      const from = await endOfLog(server.owner);
      const answer = await explained.call('GET', `/api/v1/tags/${sides.tag}/claims${query}`, { headers });
      expect(answer.json().data).toHaveLength(100);
      const nodes = (await explainedSince(server.owner, from)).flatMap(({ Plan }) => nodesOf(Plan));
      expect(nodes).not.toEqual([]);
      read[`${who} ${page}`] = Math.max(...nodes.map(rowsReadBy));
      [, query = ''] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'])) ?? [];
    }
  }
  expect(Object.entries(read).filter(([, rows]) => rows > PAGE)).toEqual([]);
});
