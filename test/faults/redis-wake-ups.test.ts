import { Redis } from 'ioredis';
import { beforeEach, describe, expect, test } from 'vitest';
import { startConsumer } from '../../src/worker/deliver-webhooks.ts';
import { openProducer } from '../../src/worker/queue-producer.ts';
import { deliversWhenWoken, useRunning, useWorkers, wakeUps } from '../db/worker/stories.ts';
import { eventually } from '../support/eventually.ts';
import { testLog } from '../support/log.ts';
import { useRedis } from '../support/redis.ts';

const redis = useRedis();
const running = useRunning();
const workers = useWorkers();

async function entries(): Promise<number> {
  const client = new Redis(redis.url);
  const keys = await client.keys('*');
  const streams = await Promise.all(
    keys.map(async (key) => ((await client.type(key)) === 'stream' ? client.xlen(key) : 0)),
  );
  client.disconnect();
  return streams.reduce((sum, length) => sum + length, keys.length);
}

async function emptied() {
  await redis.restart();
  return { redisUrl: redis.url, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' };
}

wakeUps('Redis', emptied, entries);

beforeEach(() => redis.start());
deliversWhenWoken('Redis', workers, () => redis.url);

describe('wake-ups over a Redis that is away', () => {
  test('never throw, are logged once, and work again when it is back', async () => {
    await redis.stop();
    const kept = testLog();
    const messages = () => kept.lines.map(({ msg }) => String(msg));
    const place = { log: kept.log, redisUrl: redis.url, databaseUrl: '' };
    let drains = 0;
    const producer = openProducer(place);
    running.push(
      producer,
      startConsumer(place, async () => void (drains += 1)),
    );
    for (let n = 0; n < 100; n++) producer.wake();
    const failing = ['sending webhook wake-ups fails', 'taking webhook wake-ups fails'];
    await eventually(() => expect(messages().toSorted()).toEqual(failing));
    await redis.start();
    await eventually(() => {
      producer.wake();
      expect(drains).toBeGreaterThan(0);
    });
    const working = ['sending webhook wake-ups works again', 'taking webhook wake-ups works again'];
    await eventually(() => expect(messages().toSorted()).toEqual([...failing, ...working].toSorted()));
  });

  test('do not keep a process from closing', async () => {
    await redis.stop();
    const { log } = testLog();
    const place = { log, redisUrl: redis.url, databaseUrl: '' };
    const producer = openProducer(place);
    const consumer = startConsumer(place, async () => undefined);
    producer.wake();
    await expect(Promise.all([producer.close(), consumer.close()])).resolves.toBeDefined();
    await redis.start();
  });
});

describe('a worker woken over Redis', () => {
  const { deps, work, producer, received, emit } = workers;
  test('loses nothing when Redis is flushed again and again', async () => {
    const place = deps(redis.url);
    const { wake } = producer(place);
    work(place);
    const admin = new Redis(redis.url);
    running.push({ close: async () => void (await admin.quit()) });
    const references: string[] = [];
    for (let round = 0; round < 20; round++) {
      references.push(...(await emit(10)));
      wake();
      await admin.flushall();
    }
    await eventually(() => expect(received()).toEqual(references.toSorted()));
  });

  test('starts and delivers without Redis, and while Redis comes and goes', async () => {
    await redis.stop();
    const place = deps(redis.url);
    const { wake } = producer(place);
    work(place);
    const references: string[] = [];
    const deliverTen = async () => {
      references.push(...(await emit(10)));
      wake();
      await eventually(() => expect(received()).toEqual(references.toSorted()));
    };
    await deliverTen();
    await redis.start();
    await deliverTen();
    await redis.restart();
    await deliverTen();
  });
});
