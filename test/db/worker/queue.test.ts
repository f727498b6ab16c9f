import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterEach, describe, expect, it, test } from 'vitest';
import { QUEUE_SCHEMA } from '../../../src/migrate.ts';
import { openQueue, type QueuePlace } from '../../../src/worker/queue.ts';
import { startConsumer } from '../../../src/worker/queue-consumer.ts';
import { openProducer } from '../../../src/worker/queue-producer.ts';
import { asOwner, createDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testLog } from '../../support/log.ts';
import { useRedis } from '../../support/redis.ts';
import { SPENT_STATES } from '../../support/spent-states.ts';

const redis = useRedis();
const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.close();
});

const places: Record<string, () => Promise<QueuePlace>> = {
  PostgreSQL: async () => ({ redisUrl: undefined, databaseUrl: await createDatabase() }),
  Redis: async () => {
    await redis.restart();
    return { redisUrl: redis.url, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' };
  },
};

/** How much the queue keeps: rows of all its tables, or keys and entries of streams. */
async function entriesIn({ redisUrl, databaseUrl }: QueuePlace): Promise<number> {
  if (redisUrl === undefined) return rowsIn(databaseUrl);
  const client = new Redis(redisUrl);
  const keys = await client.keys('*');
  const streams = await Promise.all(
    keys.map(async (key) => ((await client.type(key)) === 'stream' ? client.xlen(key) : 0)),
  );
  client.disconnect();
  return streams.reduce((sum, length) => sum + length, keys.length);
}

async function rowsIn(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1 and tablename <> 'migration'`,
    [QUEUE_SCHEMA],
  );
  const counts = tables.map(({ name }) => `(select count(*) from ${name})`).join('+');
  const { rows } = await client.query<{ count: number }>(`select (${counts})::int as count`);
  await client.end();
  return rows[0]?.count ?? 0;
}

describe.each(Object.keys(places))('wake-ups over %s', (name) => {
  /** A sending and a receiving end. Each drain that begins takes the next gate, and ends when it is opened. */
  async function connect() {
    const kept = testLog();
    const place = { log: kept.log, ...(await places[name]?.()) } as QueuePlace & Pick<typeof kept, 'log'>;
    const gates: (() => void)[] = [];
    let over = false;
    const drain = () => new Promise<void>((open) => void (over ? open() : gates.push(open)));
    const producer = openProducer(place);
    const consumer = startConsumer(place, drain);
    running.push(producer, {
      close: () => {
        over = true;
        for (const open of gates) open();
        return consumer.close();
      },
    });
    const drains = (count: number) => eventually(() => expect(gates).toHaveLength(count));
    return { place, producer, gates, drains, kept };
  }

  test('reach the worker', async () => {
    const { producer, gates } = await connect();
    producer.wake();
    await eventually(() => expect(gates).toHaveLength(1));
  });

  test('that come while the worker drains lead to one more drain after it', async () => {
    const { place, gates, drains } = await connect();
    const queue = openQueue(place, () => undefined);
    running.push(queue);
    await queue.add();
    await drains(1);
    for (let n = 0; n < 10; n++) await queue.add();
    expect(gates).toHaveLength(1);
    gates[0]?.();
    await drains(2);
    gates[1]?.();
    await queue.add();
    await drains(3);
  });

  test('of which thousands come at once are few for the worker', async () => {
    const { producer, gates } = await connect();
    for (let n = 0; n < 10_000; n++) producer.wake();
    await eventually(() => expect(gates.length).toBeGreaterThan(0));
    expect(gates.length).toBeLessThan(5);
  });

  test('leave next to nothing in the queue, however many there were', async () => {
    const { place, gates, drains } = await connect();
    const queue = openQueue(place, () => undefined);
    running.push(queue);
    for (let n = 1; n <= 150; n++) {
      await queue.add();
      await drains(n);
      gates[n - 1]?.();
    }
    await eventually(async () => expect(await entriesIn(place)).toBeLessThan(400)); // each writes four events
  });

  test('log nothing while all is well', async () => {
    const { producer, gates, drains, kept } = await connect();
    producer.wake();
    await drains(1);
    gates[0]?.();
    producer.wake();
    await drains(2);
    expect(kept.lines).toEqual([]);
  });
});

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

it.each(['25006', ...SPENT_STATES])('a queue on PostgreSQL goes on over another connection after %s', async (state) => {
  const databaseUrl = await createDatabase();
  const queue = openQueue({ redisUrl: undefined, databaseUrl }, () => undefined);
  running.push(queue);
  const owner = new Client({ connectionString: asOwner(databaseUrl) });
  await owner.connect();
  running.push({ close: () => owner.end() });
  const pidOf = async () =>
    (
      await owner.query(
        `select pid from pg_stat_activity where application_name = 'paytag-queue' and datname = current_database()`,
      )
    ).rows;
  await queue.add();
  const before = await pidOf();
  await owner.query(`
    create function public.refuse() returns trigger language plpgsql as
      $f$ begin raise exception 'so it is' using errcode = '${state}'; end $f$;
    do $$ declare t text; begin
      for t in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = '${QUEUE_SCHEMA}' loop
        execute format('create trigger refuse before insert or update or delete on %s for each statement execute function public.refuse()', t);
      end loop;
    end $$`);
  await expect(queue.add()).rejects.toThrow('so it is');
  await owner.query('drop function public.refuse() cascade');
  await queue.add();
  expect(before).toHaveLength(1);
  expect(await pidOf()).not.toEqual(before);
});
