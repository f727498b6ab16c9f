import { openDatabase } from '#lib/database.ts';
import { createLog } from '#lib/log.ts';
import { noMeter } from '#lib/meter.ts';
import { DAY_MS } from '#lib/retention.ts';
import { createTransact } from '#lib/transact.ts';
import { retention } from '../../../src/retention.ts';
import { runSteps } from '../../../src/worker/steps.ts';
import { quantile } from '../compare.ts';
import { startLoad, wire } from '../load/load.ts';
import { UNIQUE } from '../load/unique.ts';
import { median } from '../measure.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';
import { pick } from './money.ts';

const ROUNDS = 5;
/** Enough to be served at once, too few to wait for each other. */
const CONNECTIONS = 4;
const READERS = 20;
/** Deliveries of the partner that reads all of its own again and again. */
const BIG_HISTORY = 500_000;

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

/** Gives a partner a past: events that were delivered long ago. */
async function addDeliveries({ pool }: World, ownerId: string, count: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica'); // no deliveries made by the trigger, no checks
    await client.query(
      `with made as (
         insert into outbox.event (id, receiver_id, event, reference, body, sequence, created_at)
         select uuidv7(make_interval(secs => -i)), r.id, 'wallet.credited', 'old-' || i, '{"event":"wallet.credited"}', i, now() - make_interval(secs => i)
           from outbox.receiver r, generate_series(1, $2::int) i where r.owner_id = $1
         returning id, receiver_id, created_at)
       insert into webhooks.delivery (id, event_id, receiver_id, status, attempts, last_attempt_at, delivered_at, created_at, updated_at)
       select uuidv7(created_at - clock_timestamp()), id, receiver_id, 'DELIVERED', 1, created_at, created_at, created_at, created_at from made`,
      [ownerId, count],
    );
  } finally {
    client.release(true);
  }
  await pool.query('vacuum analyze outbox.event, webhooks.delivery');
}

/** Credits of a kobo, of one wallet of each partner. */
export const creditsOf = (partners: World['partners'][number][]): string[] =>
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
  await addDeliveries(world, past.id, BIG_HISTORY);
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

/** What one partner's credits take while another one lists its deliveries without end. */
export async function* readers(
  world: World,
  seconds: number,
  isWanted: (what: string) => boolean,
): AsyncGenerator<Row> {
  yield* purge(world, seconds, isWanted);
  const [reader, , ...others] = world.partners;
  const lists = {
    'deliveries of one event': '/v2/partner/webhook/deliveries?event=wallet.credited',
    'the state of its receiver': '/v2/partner/webhook',
  };
  let isMade = false;
  for (const [name, path] of Object.entries(lists)) {
    const what = `POST credit beside ${READERS} of ${name}`;
    if (!isWanted(what)) continue;
    if (!isMade) await addDeliveries(world, reader.id, BIG_HISTORY);
    isMade = true;
    const credits = creditsOf(others);
    const list = { connections: READERS, requests: [wire('GET', path, reader.headers)] };
    const measured = await besideLoad(seconds, { world, requests: credits }, list);
    yield { what, ...measured, rssMb: await world.residentMb(), target: { atMost: 2 } };
  }
}
