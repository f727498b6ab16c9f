import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { repetitions } from '../support/cases.ts';
import { copyCluster, newDatabaseFolder } from '../support/database.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { KEYRING_ROOT, useOutbox } from '../support/outbox.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { type Answer, useReceiver } from '../support/receiver.ts';
import { useRedis } from '../support/redis.ts';
import { type ServedHere, serveHere } from '../support/served.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { expectDeliveredOrFailed, startEventProducer } from './delivery-outcomes.ts';
import { killPostgres } from './kill-postgres.ts';

const CREDITS = 40;
const ROUNDS = repetitions({ short: 1, soak: 15 });
const WATCH = { intervalMs: 1 };
const mixed: readonly Answer[] = [200, 201, 200, 500, 200, 'drop', 200, 204, 'hang', 200];

const receiver = useReceiver();
const workers: ServerProcess[] = [];
let api: ServedHere | undefined;
beforeEach(() => {
  receiver.reset();
  receiver.answer(() => mixed[randomInt(mixed.length)] ?? 200);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((one) => one.kill('SIGKILL')));
  await api?.stop();
});

/** The API, and two workers, each a process of its own. */
async function startAll(env: Record<string, string>): Promise<ServedHere> {
  const quick = { ...env, WEBHOOK_TIMEOUT_MS: '300', WEBHOOK_BACKOFF_BASE_MS: '5' };
  workers.push(...(await Promise.all([1, 2].map(() => startServer({ ...quick, ROLE: 'worker' })))));
  api = await serveHere({ ...quick, ROLE: 'api' });
  return api;
}

describe('a Redis that loses all it holds', () => {
  const redis = useRedis();
  const outbox = useOutbox();

  it('flushed and restarted in the middle of deliveries: every event is received or has failed after five attempts', async () => {
    const producer = await startEventProducer(
      await startAll({
        ...serverEnv(outbox.url),
        MASTER_KEY: KEYRING_ROOT.toString('hex'),
        REDIS_URL: redis.url,
      }),
      [receiver],
    );
    const flush = async () => {
      const admin = new Redis(redis.url);
      await admin.flushall();
      await admin.quit();
    };
    let made = 0;
    const restart = () => redis.restart();
    const losses = Array.from({ length: ROUNDS }, () => [flush, restart]).flat();
    for (const lose of losses) {
      const credits = producer.credit(CREDITS);
      const enough = receiver.requests.length + randomInt(1, CREDITS);
      await eventuallyTrue(() => receiver.requests.length >= enough, WATCH);
      await lose();
      made += await credits;
    }
    expect(made).toBe(losses.length * CREDITS);
    expect(await expectDeliveredOrFailed(outbox.pool, [receiver])).toMatchObject({ events: made });
  });
});

describe('a PostgreSQL that goes', () => {
  let root = '';
  let postgres: Embedded;
  let proxy: TcpProxy;
  let database: DatabaseHandle;

  beforeAll(async () => {
    root = await newDatabaseFolder('paytag-test-stores-');
    await copyCluster(root, 'migrated');
    postgres = await startEmbedded(root); // with durable settings, as a fresh clone has it
    proxy = await startTcpProxy(postgres.url('postgres'));
    database = openDatabase(proxy.url, 2, () => undefined);
  });
  afterAll(async () => {
    await database.close();
    await proxy.close();
    await postgres.stop();
    await rm(root, { recursive: true });
  });

  it('stopped and killed with -9 in the middle of deliveries: every event is received or has failed after five attempts', async () => {
    const producer = await startEventProducer(await startAll(serverEnv(proxy.url)), [receiver]);
    let made = 0;
    const ends = Array.from({ length: ROUNDS }, () => [() => postgres.stop(), () => killPostgres(root)]).flat();
    for (const go of ends) {
      const credits = producer.credit(CREDITS);
      const enough = receiver.requests.length + randomInt(1, CREDITS);
      await eventuallyTrue(() => receiver.requests.length >= enough, WATCH);
      await go();
      await eventually(async () => {
        postgres = await startEmbedded(root);
      });
      proxy.leadTo(postgres.url('postgres'));
      made += await credits;
    }
    made += await producer.credit(CREDITS);
    const { events } = await expectDeliveredOrFailed(database.pool, [receiver]);
    expect(events).toBeGreaterThanOrEqual(made);
    expect(made).toBeGreaterThan(CREDITS / 2);
    expect(workers.map(({ child, stderr }) => child.exitCode ?? stderr)).toEqual(['', '']); // none ended, or cried
  });
});
