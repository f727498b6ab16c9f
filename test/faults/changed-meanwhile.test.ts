import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { claimDeliveries, recordAttempts } from '#modules/webhooks';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { ensureServerLogin } from '../../src/server-login.ts';
import { PLANNER } from '../../src/worker/deliver-webhooks.ts';
import { asServer, copyCluster } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newDatabaseFolder } from '../support/memory.ts';

// PostgreSQL 18 may crash, or miss rows, where a statement leaves parts out both when it begins and while it runs, and finds a row that
// another transaction has changed since. So this server is of this file alone.
let root = '';
let postgres: Embedded;
let owner: Client;
let handle: DatabaseHandle;
const GATE = 42;
const RECEIVERS = 50;

beforeAll(async () => {
  root = await newDatabaseFolder('paytag-test-kill-');
  await copyCluster(root, 'migrated');
  postgres = await startEmbedded(root);
  const url = postgres.url('postgres');
  await ensureServerLogin(url, asServer(url));
  owner = new Client({ connectionString: url });
  await owner.connect();
  // Whoever reads a receiver as a server waits at the gate: after a claim has begun, and before it locks.
  await owner.query(`
    create function public.gate() returns boolean language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${GATE}); return true; end $$;
    alter table outbox.receiver enable row level security;
    create policy gate on outbox.receiver using (public.gate())`);
  for (const [name, value] of Object.entries(PLANNER))
    await owner.query(`alter role paytag_server set ${name} = ${value}`);
  handle = openDatabase(asServer(url), 2, () => {});
});
afterAll(async () => {
  await handle.close();
  await owner.end();
  await postgres.stop();
  await rm(root, { recursive: true });
});

let ids: string[] = [];
let thisMonth = '';
/** Receivers with two deliveries each. */
beforeEach(async () => {
  await owner.query('truncate outbox.receiver cascade');
  await owner.query(`
    insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac, url)
      select gen_random_uuid(), 'PARTNER', '', '', '', 'http://127.0.0.1:9' from generate_series(1, ${RECEIVERS})`);
  await owner.query(`
    insert into outbox.event (receiver_id, event, reference, body)
      select id, 'wallet.credited', 'PW-1', '{}' from outbox.receiver, generate_series(1, 2)`);
  const { rows } = await owner.query<{ id: string; part: string }>(
    `select id, split_part(tableoid::regclass::text, '.', 2) as part from webhooks.delivery order by id`,
  );
  ids = rows.map((row) => row.id);
  thisMonth = rows[0]?.part ?? '';
});

/** The pool, with what was asked of it. */
const recordingPool = () => {
  const asked: string[] = [];
  const query = (given: { text: string }) => {
    asked.push(given.text);
    return handle.pool.query(given);
  };
  return { asked, pool: { query } as unknown as DatabaseHandle['pool'] };
};
const planOf = async (text: string): Promise<string> => {
  const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const client = await handle.pool.connect();
  try {
    await client.query(`prepare asked as ${text}`);
    const values = Array.from({ length: parameters }, () => 'null').join();
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute asked (${values})`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    client.release(true);
  }
};

const change = (client: Client) => client.query('update webhooks.delivery set updated_at = now()');
const waits = (locktype: string) =>
  eventually(async () => {
    const { rowCount } = await owner.query('select from pg_locks where locktype = $1 and not granted', [locktype]);
    expect(rowCount).toBe(1);
  });
/** Among the months of these deliveries, as a dispatcher knows them: others are left out. */
const claim = (pool = handle.pool) =>
  claimDeliveries(pool, {
    limit: 4 * RECEIVERS,
    perReceiver: 10,
    inFlight: new Map(),
    leaseMs: 60_000,
    among: { first: ids[0] ?? '', last: ids.at(-1) ?? '' },
  });

it('deliveries that are changed while they are claimed are claimed as they are then', async () => {
  await owner.query('select pg_advisory_lock($1)', [GATE]);
  const claiming = claim();
  await waits('advisory');
  await change(owner);
  await owner.query('select pg_advisory_unlock($1)', [GATE]);
  const { claimed } = await claiming;
  expect(ids).toHaveLength(2 * RECEIVERS);
  expect(claimed.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(ids);
});

it('all results are recorded where the first is of a delivery that is changed meanwhile', async () => {
  await claim();
  const other = new Client({ connectionString: postgres.url('postgres') });
  await other.connect();
  await other.query('begin');
  await other.query('update webhooks.delivery set updated_at = now() where id = $1', [ids[0]]);
  const result = { number: 1, status: 'DELIVERED', statusCode: 200, durationMs: 5 } as const;
  const recording = recordAttempts(
    handle.pool,
    ids.map((deliveryId) => ({ deliveryId, ...result, retryInMs: null, error: null, response: null })),
  );
  await waits('transactionid');
  await other.query('commit');
  await other.end();
  await recording;
  const { rows } = await owner.query('select status, last_duration_ms from webhooks.delivery');
  expect(rows).toEqual(ids.map(() => ({ status: 'DELIVERED', last_duration_ms: 5 })));
});

it('parts are left out of a claim when it is planned, and nothing leaves parts out when it begins', async () => {
  const { asked, pool } = recordingPool();
  await claim(pool);
  const late = { number: 9, status: 'FAILED', statusCode: 500, durationMs: 5 } as const;
  await recordAttempts(
    pool,
    ids.map((deliveryId) => ({ deliveryId, ...late, retryInMs: null, error: 'status 500', response: null })),
  );
  expect(asked).toHaveLength(3);
  const [claiming = '', ...recording] = await Promise.all(asked.map(planOf));
  const months = claiming.match(/ on delivery_\w+ /g);
  expect(months).toContain(` on ${thisMonth} `);
  expect(new Set(months).size).toBe(1);
  for (const plan of [claiming, ...recording]) expect(plan).not.toContain('Subplans Removed');
  for (const plan of recording)
    expect(plan).toMatch(/_pkey on delivery_\w+ d_\d+\n +Index Cond: \(id = x_\d+\.delivery_id\)/);
});
