import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { endOfLog, explainAll, explainedSince, nodesOf, rowsReadBy } from '../support/plans.ts';
import { decide, newSide, offer, type Side } from '../support/switch.ts';

const server = useApp();
const SORTED_MAX = 10_000;
const CALLERS = 20;
/** More rows than a page passes over and shows. */
const MANY = 5_000;
const COUNTED_WITH_PAGE_MAX = 1_000;
/** PostgreSQL makes up its mind after five. */
const PLAN_KEPT_AFTER = 8;

let sides: { market: Side; shop: Side };

/** Offers that wait for an application, besides the one that there is. */
const addOffers = async ({ applicationId }: Side, count: number) => {
  const client = await server.owner.connect();
  try {
    await client.query('set session_replication_role = replica'); // holds and events are left out
    await client.query(
      `insert into tag_transactions.tag_transaction (reference, request_hash, sender_app_id, receiver_app_id, sender_tag, receiver_tag,
           amount, fee, currency, expires_at, created_at, updated_at, routing_mac)
         select 'more-' || receiver_app_id || i, request_hash, sender_app_id, receiver_app_id, sender_tag, receiver_tag, i % 77 + 1, 0, currency,
             expires_at, created_at - make_interval(secs => i), updated_at, '\\x00'
           from tag_transactions.tag_transaction, generate_series(1, $2::int) i where receiver_app_id = $1 and reference = 'first'`,
      [applicationId, count],
    );
  } finally {
    client.release(true);
  }
};

beforeAll(async () => {
  const acme = await newSide(server, 'Acme');
  const [market, shop] = [await newSide(server, 'Market'), await newSide(server, 'Shop')];
  sides = { market, shop };
  await offer(server, acme, market, { reference: 'first' });
  await addOffers(market, SORTED_MAX + 500);
  const other = await newSide(server, 'Other');
  await offer(server, other, shop, { reference: 'first' });
  await addOffers(shop, SORTED_MAX - 1);
  await server.owner.query('vacuum analyze tag_transactions.tag_transaction');
  await explainAll(server.owner);
  // As of a table so large that PostgreSQL would read it by several processes at once.
  await server.owner.query(`do $$ declare setting text; begin
    foreach setting in array '{min_parallel_table_scan_size,min_parallel_index_scan_size,parallel_setup_cost,parallel_tuple_cost}'::text[] loop
      execute format('alter database %I set %I = 0', current_database(), setting);
    end loop; end $$`);
});
/** Its connections are made after that. */
const explained = useApp({}, server);

const list = async ({ headers }: Side, query = '') => {
  const answer = await explained.call('GET', `/api/v1/transactions/pending${query}`, { headers });
  return { status: answer.statusCode, ...answer.json() };
};

/** The most rows that each statement of `work` read, or sorted, in a step. */
async function rowsReadIn(work: () => Promise<unknown>): Promise<number[]> {
  const from = await endOfLog(server.owner);
  await work();
  const runs = await explainedSince(server.owner, from);
  expect(runs).not.toEqual([]);
  return runs.map(({ Plan }) => Math.max(...nodesOf(Plan).map(rowsReadBy)));
}

describe('more than ten thousand transactions that wait', () => {
  it('are counted exactly, once for all who ask at the same moment', async () => {
    const read = await rowsReadIn(async () => {
      const pages = await Promise.all(Array.from({ length: CALLERS }, async () => list(sides.market)));
      for (const { data } of pages)
        expect(data).toMatchObject({ totalElements: SORTED_MAX + 501, numberOfElements: 20 });
    });
    expect(read.length).toBeGreaterThan(CALLERS);
    const counts = read.filter((rows) => rows > MANY);
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.length).toBeLessThan(CALLERS / 2);
  });

  it('are counted in their index, by one process of PostgreSQL', async () => {
    const from = await endOfLog(server.owner);
    expect((await list(sides.market)).data.totalElements).toBe(SORTED_MAX + 501);
    const listing = (await explainedSince(server.owner, from)).filter((one) => one['Query Text'].includes('AWAITING'));
    const nodes = listing.flatMap(({ Plan }) => nodesOf(Plan));
    const [counted, ...more] = nodes.filter((node) => rowsReadBy(node) > MANY && node['Relation Name'] !== undefined);
    expect(counted).toMatchObject({ 'Node Type': 'Index Only Scan', 'Index Name': 'tag_transaction_pending' });
    expect(more).toEqual([]);
    expect(nodes.filter((node) => node['Node Type'].startsWith('Gather'))).toEqual([]);
  });

  it('are read for a page no further than it shows and counts, however few of them PostgreSQL expects', async () => {
    const expectOfAnApplication = async (distinct: number) => {
      const column = 'alter table tag_transactions.tag_transaction alter column receiver_app_id';
      await server.owner.query(`${column} set (n_distinct = ${distinct})`);
      await server.owner.query('analyze tag_transactions.tag_transaction');
    };
    await server.owner.query('update tag_transactions.tag_transaction set narration = narration'); // pages to be vacuumed
    await expectOfAnApplication(-1);
    const from = await endOfLog(server.owner);
    // Each process finds out for itself that they are many. Before that it reads them as it does few.
    await Promise.all(Array.from({ length: PLAN_KEPT_AFTER }, async () => list(sides.market)));
    const pages = (await explainedSince(server.owner, from)).filter((one) => !one['Query Text'].includes(' waiting'));
    const read = pages.flatMap(({ Plan }) => nodesOf(Plan).map(rowsReadBy));
    expect(Math.max(...read)).toBe(COUNTED_WITH_PAGE_MAX + 1);
    await expectOfAnApplication(0);
    await server.owner.query('vacuum tag_transactions.tag_transaction');
  });

  it('are counted anew for whoever asks after one was decided, while others ask', async () => {
    const before = await list(sides.market);
    const others = Array.from({ length: CALLERS }, async () => list(sides.market));
    expect((await decide(explained, sides.market, before.data.content[0].id, 'reject')).statusCode).toBe(200);
    expect((await list(sides.market)).data.totalElements).toBe(before.data.totalElements - 1);
    await Promise.all(others);
  });

  it('are sorted by the time they were made, either way, without reading more than the page', async () => {
    for (const query of ['?sort=createdAt', '?sort=createdAt,desc&page=3', '?sort=createdAt,id,desc&size=5']) {
      const read = await rowsReadIn(async () => expect(await list(sides.market, query)).toMatchObject({ status: 200 }));
      expect(read.filter((rows) => rows > MANY).length).toBeLessThanOrEqual(1); // the count
    }
    const oldest = await list(sides.market, '?sort=createdAt&size=3');
    const times = oldest.data.content.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual(times.toSorted());
    const last = await list(
      sides.market,
      `?sort=createdAt,desc&size=3&page=${Math.ceil(oldest.data.totalElements / 3) - 1}`,
    );
    expect(last.data.content.at(-1).id).toBe(oldest.data.content[0].id);
  });

  it('are not sorted by anything else: the refusal says how they can be', async () => {
    for (const query of ['?sort=amount,desc', '?sort=createdAt,amount', '?sort=id,desc']) {
      const read = await rowsReadIn(async () => {
        expect(await list(sides.market, query)).toMatchObject({
          status: 400,
          errorCode: 'INVALID_PARAMETER',
          errors: [expect.stringMatching(/^sort: .*10,000.*createdAt/)],
        });
      });
      expect(Math.max(...read)).toBeLessThanOrEqual(SORTED_MAX + 1);
    }
  });
});

it('ten thousand transactions that wait are sorted as asked, without a look at those of others', async () => {
  const read = await rowsReadIn(async () => {
    const { data } = await list(sides.shop, '?sort=amount,desc&sort=createdAt&size=200');
    expect(data).toMatchObject({ totalElements: SORTED_MAX, numberOfElements: 200 });
    const amounts = data.content.map(({ amount }: { amount: number }) => amount);
    expect(amounts).toEqual(amounts.toSorted((one: number, other: number) => other - one));
  });
  expect(Math.max(...read)).toBeLessThanOrEqual(SORTED_MAX + 1);
});
