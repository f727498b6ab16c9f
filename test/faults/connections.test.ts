import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#drizzle';
import { connectionsOf, type Database } from '#lib/postgres/executor.ts';
import { type RunningWorker, startWorker } from '../../src/worker/start-worker.ts';
import { type TestApp, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { documentAt } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { usePgBouncer } from '../support/pgbouncer.ts';
import { useReceiver } from '../support/receiver.ts';
import { useRedis } from '../support/redis.ts';
import { kycWallet, moveMoney } from '../support/wallets.ts';

/** So long that reads stall until a third connection is opened for them, and a fourth. */
const READ_S = 1.2;
const READS = 6;
const READ_EVERY_MS = 200;
/** More than there may be of anything. */
const MANY = 20;

type Counts = Readonly<Record<string, number>>;
const guide = documentAt('src/docs/deploy.md').text;
const kubernetes = documentAt('src/docs/kubernetes.md').text;
const ROW = /^\| `(paytag[\w-]*)` \|.*\| *(\d*) *\| *(\d*) *\|$/gm;
const TOGETHER = /^\| \| together \| (\d+) \| (\d+) \|$/m;
/** Those that are there as a rule; the guide has what is not always there below. */
const RULE = ['paytag', 'paytag-reads', 'paytag-listen', 'paytag-metrics', 'paytag-webhooks'];

/** What the guide says of a role: by what the connections are called. */
function told(works: boolean): Counts {
  const rows = [...guide.matchAll(ROW)].map(([, name = '', api, worker]) => [name, Number(works ? worker : api)]);
  return Object.fromEntries(rows.filter(([, connections]) => connections !== 0));
}
const ruleOf = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => RULE.includes(name)));
const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, one) => sum + one, 0);

/** How many connections of the server there are, by what they are called. */
async function count({ owner }: TestApp, but: readonly number[] = []): Promise<Counts> {
  const { rows } = await owner.query<{ name: string; connections: number }>(
    `select application_name as name, count(*)::int as connections from pg_stat_activity
      where datname = current_database() and application_name like 'paytag%' and not pid = any ($1) group by 1`,
    [but],
  );
  return Object.fromEntries(rows.map(({ name, connections }) => [name, connections]));
}

const each = (ask: (at: number) => Promise<unknown>, times = MANY): Promise<unknown> =>
  Promise.all(Array.from({ length: times }, (_, at) => ask(at)));

/** Keeps all connections of a database busy that write or read. */
async function fill(db: Database): Promise<void> {
  const open = connectionsOf(db);
  if (open === undefined) throw new Error('it is no database');
  const read = async (at: number) => {
    await sleep(at * READ_EVERY_MS);
    await open.reads.query({ name: 'test.sleep', text: `select pg_sleep(${READ_S})` });
  };
  await Promise.all([each(read, READS), each(() => open.pool.query('select pg_sleep(0.2)'))]);
}

/** Has a server do all that it may do at once, and money move until a worker claims deliveries while it records others. */
async function busy(server: TestApp, works: boolean): Promise<void> {
  const { db, longReads, background } = server.resources;
  const partner = await server.newPartner({ float: 10_000, webhookUrl: receiver.url });
  const wallet = await kycWallet(server, partner);
  await Promise.all([
    fill(db),
    background.db !== db && works ? fill(background.db) : undefined,
    each(() => longReads.execute(sql`select pg_sleep(0.2)`)),
    server.call('GET', '/metrics'),
  ]);
  let moved = 0;
  const credit = () =>
    moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `${partner.id}-${(moved += 1)}` });
  await eventually(async () => {
    await each(credit);
    expect((await count(server))['paytag-webhooks'] ?? 0).toBe(works ? 2 : 0);
  });
}

const receiver = useReceiver();
const redis = useRedis();
const bouncer = usePgBouncer({ connections: MANY });

describe.each([
  ['an api process', { works: false, env: () => ({}) }],
  ['one that works too', { works: true, env: () => ({}) }],
  ['an api process with Redis', { works: false, env: () => ({ REDIS_URL: redis.url }) }],
  ['one with Redis that works too', { works: true, env: () => ({ REDIS_URL: redis.url }) }],
])('%s opens as many connections as the guide says, when everything is asked of it:', (_of, { works, env }) => {
  const server = useApp(env);
  useWorker(server, works);

  it('as a rule', async () => {
    await busy(server, works);
    const counted = ruleOf(await count(server));
    expect(counted).toEqual(ruleOf(told(works)));
    expect(sumOf(counted)).toBe(Number(TOGETHER.exec(guide)?.[works ? 2 : 1]));
  });

  it('as Kubernetes is told', () => {
    const [, api, worker] = /an API process has up to (\d+) of them .*, a worker (\d+),/.exec(kubernetes) ?? [];
    expect([api, worker]).toEqual(TOGETHER.exec(guide)?.slice(1));
  });

  it('for the queue', async () => {
    const most = told(works)['paytag-queue'] ?? 0;
    const few = works ? most - 1 : most; // BullMQ needs the last one of a worker now and then
    const right = server.resources.redisUrl === undefined ? [few, most] : [0];
    expect(right).toContain((await count(server))['paytag-queue'] ?? 0);
  });

  it('for a check of the books and while an hour is sealed', async () => {
    const lock = await server.owner.connect();
    await lock.query('begin; lock table audit.entry in access exclusive mode');
    const checking = server.operate('GET', '/ledger/check');
    try {
      await eventually(async () => expect(await count(server)).toMatchObject({ 'paytag-check': 1 }));
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    await checking;
    const sealing = await server.resources.workLong(async () => count(server));
    expect(sealing).toMatchObject({ 'paytag-long': 1 });
    expect(told(works)).toMatchObject({ 'paytag-check': 1, ...(works && { 'paytag-long': 1 }) });
  });
});

describe('through a pooler, and past it', () => {
  const database = useDatabase();
  const server = useApp(
    () => ({
      DATABASE_URL: bouncer.through(database.url),
      DATABASE_DIRECT_URL: database.url,
      DATABASE_PREPARE: 'off',
      REDIS_URL: redis.url,
    }),
    database,
  );
  useWorker(server, true);

  it('a process that works opens as many connections as the guide says', async () => {
    await busy(server, true);
    const [, more, api, worker] =
      /`DATABASE_POOL_MAX` and (\w+) connections to the pooler.* has (\d+) direct connections and a worker (\d+)/.exec(
        guide,
      ) ?? [];
    const through = await bouncer.ask<{ database: string }>('show clients');
    const name = new URL(database.url).pathname.slice(1);
    expect(['seven', 8 + 7]).toEqual([more, through.filter((client) => client.database === name).length]);
    const servers = await bouncer.ask<{ remote_pid: number }>('show servers');
    const past = await count(
      server,
      servers.map(({ remote_pid }) => remote_pid),
    );
    expect(past).toEqual({
      'paytag-listen': 1,
      'paytag-metrics': 1,
      'paytag-webhooks': 2,
      'paytag-background': 4,
      'paytag-background-reads': 4,
    });
    expect([2, sumOf(past)]).toEqual([Number(api), Number(worker)]);
  });
});

function useWorker(server: TestApp, works: boolean): void {
  let worker: RunningWorker | undefined;
  beforeAll(() => {
    server.resources.connectQueue();
    if (works) worker = startWorker({ ...server.resources, ...server.resources.background });
  });
  afterAll(() => worker?.close());
}
