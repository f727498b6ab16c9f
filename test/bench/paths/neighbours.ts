import { createLog } from '#lib/log.ts';
import { noMeter } from '#lib/meter.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { createTransact } from '#lib/postgres/transact.ts';
import { DAY_MS } from '#lib/room.ts';
import { retention } from '../../../src/rooms.ts';
import { runSteps } from '../../../src/worker/steps.ts';
import { quantile } from '../compare.ts';
import { startLoad, wire } from '../load/load.ts';
import { UNIQUE } from '../load/unique.ts';
import { median, type Row } from '../table.ts';
import type { World } from '../world/world.ts';
import { pick } from './money.ts';

const ROUNDS = 5;
/** Enough to be served at once, too few to wait for each other. */
const CONNECTIONS = 4;
const READERS = 20;
/** Deliveries of the partner that reads all of its own again and again. */
const BIG_HISTORY = 500_000;
/** Offers that wait for the application that reads them again and again. */
const BIG_BACKLOG = 300_000;

/** What keeps the server or its database busy meanwhile: a caller, or something for so many milliseconds. */
type Neighbour = { connections: number; requests: readonly string[] } | ((ms: number) => Promise<unknown>);

/**
 * What `requests` take while nothing else goes on, and while another caller keeps `connections` busy, by turns.
 * The ratio is how many times the one p99 the other is.
 */
export async function besideLoad(
  seconds: number,
  { world: { load, server }, requests }: { world: World; requests: readonly string[] },
  other: Neighbour,
): Promise<Required<Pick<Row, 'ours' | 'ceiling' | 'ratio' | 'p50Ms' | 'p99Ms'>>> {
  const ms = (1000 * seconds) / ROUNDS / 2;
  const mine = { port: server.port, connections: CONNECTIONS, ms, requests };
  const neighbour = startLoad();
  const alone: { rate: number; p99: number }[] = [];
  const beside: typeof alone = [];
  const latencies: number[] = [];
  try {
    await load.run(mine);
    while (beside.length < ROUNDS) {
      const quiet = await load.run(mine);
      const under =
        typeof other === 'function' ? other(ms * 1.2) : neighbour.run({ port: server.port, ...other, ms: ms * 1.2 });
      const busy = await load.run(mine);
      await under;
      alone.push({ rate: quiet.count / quiet.seconds, p99: quantile([...quiet.latenciesMs], 0.99) });
      beside.push({ rate: busy.count / busy.seconds, p99: quantile([...busy.latenciesMs], 0.99) });
      latencies.push(...busy.latenciesMs);
    }
  } finally {
    neighbour.close();
  }
  return {
    ours: median(beside.map((one) => one.rate)),
    ceiling: median(alone.map((one) => one.rate)),
    ratio: median(beside.map((one, round) => one.p99 / (alone[round]?.p99 ?? Number.NaN))),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

/** Runs statements that fill a table as years of use would: without triggers, and without checks. */
async function fill({ pool }: World, text: string, values: unknown[], tables: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(text, values);
  } finally {
    client.release(true);
  }
  await pool.query(`vacuum analyze ${tables}`);
}

/** Gives a partner a past: events that were delivered long ago, or that have waited since, held, so that nothing sends them. */
async function addDeliveries(world: World, ownerId: string, status: 'DELIVERED' | 'PENDING'): Promise<void> {
  const isDelivered = status === 'DELIVERED';
  await fill(
    world,
    `with paused as (
       insert into webhooks.pause (receiver_id, paused_by, reason)
       select id, 'OWNER', 'they move house' from outbox.receiver where owner_id = $1 and not $3),
     made as (
       insert into outbox.event (id, receiver_id, event, reference, body, sequence, created_at)
       select uuidv7(make_interval(secs => -i)), r.id, 'wallet.credited', 'old-' || i, '{"event":"wallet.credited"}', i, now() - make_interval(secs => i)
         from outbox.receiver r, generate_series(1, $2::int) i where r.owner_id = $1
       returning id, receiver_id, created_at)
     insert into webhooks.delivery (id, event_id, receiver_id, status, attempts, last_attempt_at, delivered_at, created_at, updated_at)
     select uuidv7(created_at - clock_timestamp()), id, receiver_id, case when $3 then 'DELIVERED' else 'PENDING' end, $3::int,
         case when $3 then created_at end, case when $3 then created_at end, created_at, created_at
       from made`,
    [ownerId, BIG_HISTORY, isDelivered],
    'outbox.event, webhooks.delivery',
  );
}

/** Gives an application offers that wait for it, besides those that do. */
const addOffers = (world: World, applicationId: string): Promise<void> =>
  fill(
    world,
    `insert into tag_transactions.tag_transaction (reference, request_hash, sender_app_id, receiver_app_id, sender_tag, receiver_tag,
         amount, fee, currency, expires_at, created_at, updated_at, routing_mac)
       select 'old-' || i, request_hash, sender_app_id, receiver_app_id, sender_tag, receiver_tag, amount, fee, currency, expires_at,
           created_at - make_interval(secs => i), updated_at, '\\x00'
         from (select * from tag_transactions.tag_transaction where receiver_app_id = $1 limit 1) one, generate_series(1, $2::int) i`,
    [applicationId, BIG_BACKLOG],
    'tag_transactions.tag_transaction',
  );

/** Credits of a kobo, of one wallet of each partner. */
const creditsOf = (partners: World['partners'][number][]): string[] =>
  partners.map((partner, turn) => {
    const { reference } = pick(partner.wallets, turn);
    const json = { amount: 0.01, reference: UNIQUE };
    return wire('POST', `/v2/partner/wallet/${reference}/credit`, partner.headers, json);
  });

/** What credits take while a worker forgets what was delivered long ago: bodies, attempts, then the deliveries. */
async function* purge(world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> {
  const what = `POST credit beside a purge of ${BIG_HISTORY} deliveries`;
  if (!isWanted(what)) return;
  const [past, , ...others] = world.partners;
  await addDeliveries(world, past.id, 'DELIVERED');
  const handle = openDatabase(world.databaseUrl, 4, () => {});
  const log = createLog('silent');
  const webhooks = { retentionD: 1, failedRetentionD: 1, pendingRetentionD: 0, deliveryRetentionD: 1 };
  const deps = { db: handle.db, transact: createTransact(handle.pool, () => undefined), log, webhooks };
  const inTwoDays = new Date(Date.now() + 2 * DAY_MS);
  let forgotten = 0;
  const steps = retention.flatMap(({ table, forget = {} }) =>
    Object.entries(table.startsWith('webhooks.') ? forget : {}).map(([name, some]) => ({
      name,
      async batch() {
        const { rows, isAll } = await some(deps, inTwoDays);
        forgotten += rows;
        return isAll;
      },
    })),
  );
  const forgetting = (ms: number) =>
    runSteps({ log, metrics: noMeter }, steps, { closing: AbortSignal.timeout(ms), isPaced: true });
  const measured = await besideLoad(seconds, { world, requests: creditsOf(others) }, forgetting);
  await handle.close();
  yield {
    what: `${what}, ${forgotten} forgotten`,
    ...measured,
    rssMb: await world.residentMb(),
    target: { atMost: 2 },
  };
}

/** What one partner's credits take while another caller reads what it has very much of without end. */
export async function* readers(
  world: World,
  seconds: number,
  isWanted: (what: string) => boolean,
): AsyncGenerator<Row> {
  yield* purge(world, seconds, isWanted);
  const [past, behind, ...others] = world.partners;
  if (behind === undefined) throw new Error('there are partners to read, and others to credit');
  const [, shop] = world.applications;
  const all = [
    {
      name: 'deliveries of one event',
      path: '/v2/partner/webhook/deliveries?event=wallet.credited',
      reader: past.headers,
      make: () => addDeliveries(world, past.id, 'DELIVERED'),
    },
    {
      name: 'the state of its receiver',
      path: '/v2/partner/webhook',
      reader: behind.headers,
      make: () => addDeliveries(world, behind.id, 'PENDING'),
    },
    {
      name: 'offers that wait',
      path: '/api/v1/transactions/pending',
      reader: shop.headers,
      make: () => addOffers(world, shop.applicationId),
    },
  ];
  for (const { name, path, reader, make } of all) {
    const what = `POST credit beside ${READERS} of ${name}`;
    if (!isWanted(what)) continue;
    await make();
    const list = { connections: READERS, requests: [wire('GET', path, reader)] };
    const measured = await besideLoad(seconds, { world, requests: creditsOf(others) }, list);
    yield { what, ...measured, rssMb: await world.residentMb(), target: { atMost: 2 } };
  }
}
