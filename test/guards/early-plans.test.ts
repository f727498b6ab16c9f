import { beforeAll, expect, it } from 'vitest';
import { generateLargeSet } from '../bench/large/generate.ts';
import {
  type Good,
  type GoodRequests,
  goodRequestsOfPartners,
  goodRequestsOfSso,
  goodRequestsOfSwitch,
} from '../http/every-operation/good-requests.ts';
import { type TestApp, useApp } from '../support/app.ts';
import { endOfLog, explainAll, explainedSince, nodesOf, rowsReadBy } from '../support/plans.ts';

/** Of ten million entries: enough that whoever reads a whole table reads too much. */
const SCALE = 0.01;
/** What grows with every movement. */
const BOOKS = ['entry', 'transaction', 'event'];
/** More rows than a page needs of anything: it counts up to a thousand, and one more. */
const MANY = 1_001;
/** Looks at ten thousand rows of a list and no more, planned as it runs. */
const COUNT = /^select count\(/;
/** Adds up the postings of a day itself, until a worker has. */
const ADDING_UP = 'GET /v2/partner/day/{date}';
/** The first plan of a statement is kept, where PostgreSQL else makes up its mind after five. */
const KEEP_PLANS = 'plan_cache_mode = force_generic_plan';
const server = useApp();
const reads = new Map<string, Good>();

beforeAll(async () => {
  const good: GoodRequests = {};
  for (const surface of [goodRequestsOfPartners, goodRequestsOfSso, goodRequestsOfSwitch]) {
    Object.assign(good, await surface(server));
  }
  for (const [name, make] of Object.entries(good)) {
    if (name.startsWith('GET ') && name !== ADDING_UP) reads.set(name, await make('', undefined));
  }
  await server.owner.query('vacuum analyze');
  await explainAll(server.owner);
  await server.owner.query(
    `do $$ begin execute format('alter database %I set ${KEEP_PLANS}', current_database()); end $$`,
  );
});
/** Its connections are made after that. */
const explained = useApp({}, server);

async function read({ url, headers, query = {} }: Good): ReturnType<TestApp['call']> {
  const asked = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  return explained.call('GET', asked === '' ? url : `${url}?${asked}`, { headers });
}

it('no read of a page goes through what has come since it was planned', async () => {
  for (const one of reads.values()) await read(one);
  await generateLargeSet(server.owner, server.resources.keyring, SCALE, { isAnalyzed: false });
  const complaints: Record<string, string[]> = {};
  for (const [name, one] of reads) {
    const from = await endOfLog(server.owner);
    await read(one);
    const runs = await explainedSince(server.owner, from);
    if (runs.length === 0) throw new Error(`${name}: nothing of it was explained`);
    const statements = runs.filter((run) => !COUNT.test(run['Query Text']));
    const found = statements.flatMap(({ Plan, 'Query Text': text }) =>
      nodesOf(Plan)
        .filter((node) => BOOKS.includes(node['Relation Name'] ?? '') && rowsReadBy(node) > MANY)
        .map((node) => `${node['Node Type']} ${node['Relation Name']}: ${text.slice(0, 700)}`),
    );
    if (found.length > 0) complaints[name] = found;
  }
  expect(complaints).toEqual({});
});
