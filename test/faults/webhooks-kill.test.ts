import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setWebhookUrl } from '#modules/webhooks';
import { listenLocally } from '../../src/embedded/port.ts';
import { repetitions } from '../support/cases.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { KEYRING_ROOT, keyring, useOutbox } from '../support/outbox.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { type Answer, type Receiver, startReceiver, useReceiver } from '../support/receiver.ts';
import { useRedis } from '../support/redis.ts';
import { type ServedHere, serveHere } from '../support/served.ts';
import { expectDeliveredOrFailed, startEventProducer } from './delivery-outcomes.ts';
import { type HeldTable, holdTable } from './kill-postgres.ts';

const WATCH = { intervalMs: 1 };
const ROUNDS = repetitions({ short: 1, soak: 40 });
const CREDITS = 24;

const outbox = useOutbox();
const redis = useRedis();
const env = {
  ...serverEnv(outbox.url),
  MASTER_KEY: KEYRING_ROOT.toString('hex'),
  WEBHOOK_TIMEOUT_MS: '300',
  WEBHOOK_BACKOFF_BASE_MS: '1', // and with it the pauses of the breaker
};
const processes: ServerProcess[] = [];

async function startWorker(more: Record<string, string>): Promise<ServerProcess> {
  const started = await startServer({ ...env, ...more, ROLE: 'worker' });
  processes.push(started);
  return started;
}
beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.kill('SIGKILL')));
});

describe('a worker killed with -9', () => {
  const receiver = useReceiver();
  const held: HeldTable[] = [];
  const patient = { WEBHOOK_TIMEOUT_MS: '60000' }; // so that no attempt ends because this machine is slow
  let deaf: { url: string; close(): void };
  /** The requests of one event, and what is on record of it. */
  const deliveryState = async (reference: string) => {
    const { rows } = await outbox.pool.query<{ status: string; attempts: number; id: string }>(
      `select e.id, d.status, d.attempts from outbox.event e join webhooks.delivery d on d.event_id = e.id
        where e.reference = $1`,
      [reference],
    );
    const { id, status = '', attempts = 0 } = rows[0] ?? {};
    const requests = receiver.requests.filter(({ headers }) => headers['webhook-id'] === id).length;
    return { status, attempts, requests };
  };
  const hold = async () => {
    const table = await holdTable(outbox.pool, 'webhooks.delivery');
    held.push(table);
    return table;
  };
  beforeAll(async () => {
    const server = createServer((socket) => socket.on('error', () => undefined)); // accepts, and never says a word
    deaf = { url: `https://127.0.0.1:${await listenLocally(server)}`, close: () => server.close() };
  });
  afterEach(() => Promise.all(held.map((table) => table.release())));
  afterAll(() => deaf.close());

  it('at each step of an attempt: nothing is lost, and only what could have been received comes again', async () => {
    const emitted = async (url = receiver.url): Promise<string> => {
      const [reference = ''] = await outbox.emitTo(await outbox.newReceiver(url));
      return reference;
    };
    const kill = (worker: ServerProcess) => worker.kill('SIGKILL');
    /** What the dead had claimed runs out at the end, and not while others die. */
    const startAnother = async () => {
      await outbox.pool.query(
        `update webhooks.delivery set leased_until = now() + interval '1 day' where status = 'PENDING' and attempts > 0`,
      );
      return startWorker(patient);
    };

    const beforeClaim = await emitted();
    let table = await hold();
    let worker = await startWorker(patient);
    await table.waitedForBy('with recursive');
    await kill(worker);
    await table.refuseWaiting();
    await table.release();
    expect(await deliveryState(beforeClaim)).toEqual({ status: 'PENDING', attempts: 0, requests: 0 });

    table = await hold();
    worker = await startWorker(patient);
    await table.waitedForBy('with recursive');
    await kill(worker);
    await table.release(); // the database claims for a worker that is dead
    await eventually(async () =>
      expect(await deliveryState(beforeClaim)).toEqual({ status: 'PENDING', attempts: 1, requests: 0 }),
    );

    receiver.answer(({ path }) => (path.endsWith('/hangs') ? 'hang' : 200));
    const beforeSend = await emitted(deaf.url); // it never gets past the handshake of TLS
    const duringSend = await emitted(`${receiver.url}/hangs`);
    const afterRecord = await emitted();
    worker = await startAnother();
    await eventually(async () => {
      expect(await deliveryState(beforeSend)).toMatchObject({ attempts: 1 });
      expect(await deliveryState(duringSend)).toMatchObject({ requests: 1 });
      expect(await deliveryState(afterRecord)).toMatchObject({ status: 'DELIVERED' });
    });
    await kill(worker);
    const { rows: deafOnes } = await outbox.pool.query<{ ownerId: string }>(
      'select owner_id as "ownerId" from outbox.receiver where url = $1',
      [deaf.url],
    );
    for (const { ownerId } of deafOnes) {
      await outbox.db.transaction((tx) => setWebhookUrl(tx, keyring, { ownerId, url: receiver.url }));
    }

    for (const recorded of [false, true]) {
      receiver.answer(async () => {
        table = await hold();
        return 200;
      });
      const beforeRecord = await emitted();
      const holds = held.length;
      worker = await startAnother();
      await eventually(() => expect(held.length).toBeGreaterThan(holds));
      await table.waitedForBy('with result as');
      await kill(worker);
      if (!recorded) await table.refuseWaiting();
      await table.release();
      const status = recorded ? 'DELIVERED' : 'PENDING'; // the database records for a worker that is dead
      await eventually(async () =>
        expect(await deliveryState(beforeRecord)).toEqual({ status, attempts: 1, requests: 1 }),
      );
    }

    receiver.answer([]);
    await outbox.pool.query(`update webhooks.delivery set leased_until = null where status = 'PENDING'`); // the claims run out
    await startWorker(patient);
    const { duplicates } = await expectDeliveredOrFailed(outbox.pool, [receiver]);
    expect(await deliveryState(beforeClaim)).toEqual({ status: 'DELIVERED', attempts: 2, requests: 1 });
    expect(await deliveryState(beforeSend)).toEqual({ status: 'DELIVERED', attempts: 2, requests: 1 });
    expect(await deliveryState(duringSend)).toEqual({ status: 'DELIVERED', attempts: 2, requests: 2 });
    expect(await deliveryState(afterRecord)).toEqual({ status: 'DELIVERED', attempts: 1, requests: 1 });
    expect(duplicates).toBe(1);
  });
});

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ REDIS_URL: redis.url })],
] as const)('workers woken over %s and killed with -9 at any moment', (_, queue) => {
  const mixed: readonly Answer[] = [200, 201, 200, 500, 200, 'drop', 200, 204, 'hang', 200];
  let receivers: Receiver[] = [];
  let api: ServedHere;
  beforeAll(async () => {
    api = await serveHere({ ...env, ...queue(), ROLE: 'api' });
    receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  });
  afterAll(() => Promise.all([api.stop(), ...receivers.map((one) => one.close())]));

  it('every event that was committed is received, or has failed after five attempts; none has a sixth', async () => {
    const [good, fickle, bad] = receivers;
    fickle?.answer(() => mixed[randomInt(mixed.length)] ?? 200);
    bad?.answer(() => 503);
    const workers = [startWorker(queue()), startWorker(queue())];
    await Promise.all(workers);
    const producer = await startEventProducer(api, receivers);
    let made = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const credits = producer.credit(CREDITS);
      const enough = (good?.requests.length ?? 0) + randomInt(1, CREDITS / receivers.length);
      await eventuallyTrue(() => (good?.requests.length ?? 0) >= enough, WATCH);
      await (await workers.shift())?.kill('SIGKILL');
      workers.push(startWorker(queue()));
      made += await credits;
    }
    await Promise.all(workers);
    const { events, failed } = await expectDeliveredOrFailed(outbox.pool, receivers);
    expect(made).toBe(ROUNDS * CREDITS);
    expect(events).toBeGreaterThanOrEqual(made);
    expect(failed).toBeGreaterThanOrEqual(made / 3);
  });
});
