import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Client } from 'pg';
import { Pool } from 'undici';
import { freePort } from '../../../src/embedded/port.ts';
import type { Embedded } from '../../../src/embedded/start-embedded.ts';
import { signedHeaders } from '../../../src/modules/webhooks/sign.ts';
import { startRedis } from '../../support/redis.ts';
import { ensureRedisServer } from '../../support/setup/redis.ts';
import { throughput } from '../table.ts';
import { eventBody } from './event-body.ts';
import { type PayTagWorker, startPayTagWorker } from './paytag-worker.ts';
import { type Receiver, rateOf, startReceiver } from './receiver.ts';

export const IN_FLIGHT = 64;
/** The most deliveries that our worker has in flight. */
export const PAYTAG_IN_FLIGHT = 256;
/** Rounds in which the senders take turns, so that all see the same machine. */
export const ROUNDS = 3;

/** All that deliver to one receiver. */
export interface Senders {
  readonly pool: Sender;
  readonly bullmq: Sender;
  readonly bullmqWide: Sender;
  readonly onRedis: PayTagWorker;
  readonly onPostgres: PayTagWorker;
}

/** Starts a receiver and all senders, with a Redis of theirs and databases on a PostgreSQL. */
export async function openSenders(
  postgres: Embedded,
): Promise<{ receiver: Receiver; senders: Senders; close(): Promise<void> }> {
  const redisPort = await freePort();
  const redis = await startRedis(await ensureRedisServer(), redisPort);
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const receiver = await startReceiver();
  const opened: { close(): unknown }[] = [receiver];
  const closeLater = <S extends Sender>(sender: S): S => {
    opened.push(sender);
    return sender;
  };
  const close = async () => {
    for (const one of opened.toReversed()) await one.close();
    await redis.end();
  };
  try {
    const senders = {
      pool: closeLater(undiciPool(receiver, IN_FLIGHT)),
      bullmq: closeLater(await bullmqWorker(receiver, IN_FLIGHT, redisUrl)),
      bullmqWide: closeLater(await bullmqWorker(receiver, PAYTAG_IN_FLIGHT, redisUrl)),
      onRedis: closeLater(await startPayTagWorker(receiver, await newDatabase(postgres, 'on_redis'), redisUrl)),
      onPostgres: closeLater(await startPayTagWorker(receiver, await newDatabase(postgres, 'on_postgres'))),
    };
    return { receiver, senders, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function newDatabase(postgres: Embedded, name: string): Promise<string> {
  const admin = new Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return postgres.url(name);
}

/** Deliveries a second of each sender in each round. */
export async function ratesOf<Name extends string>(
  senders: Record<Name, Sender>,
  perRound: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(senders) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) rates[name].push(await senders[name].run(perRound));
  }
  return rates;
}

const KEYS = {
  clientId: `pc_${randomUUID()}`,
  secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  headers: {},
};
const BATCH = 1_000;

/** A webhook request that was signed before the measurement. */
interface Signed {
  readonly headers: Record<string, string>;
  readonly body: string;
}

function signed(): Signed {
  const body = eventBody(randomUUID());
  const message = { eventId: randomUUID(), body: Buffer.from(body), sequence: null };
  return { headers: signedHeaders(message, KEYS, new Date()), body };
}

/** One way of sending webhooks. */
export interface Sender {
  /** Sends `count` events and returns how many a second were received. */
  run(count: number): Promise<number>;
  close(): Promise<unknown>;
}

const poolOf = ({ origin }: Receiver, inFlight: number) => new Pool(origin, { connections: inFlight, pipelining: 1 });

async function post(pool: Pool, { headers, body }: Signed): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/webhook', headers, body });
  await answer.body.dump();
}

/** An undici Pool that posts signed bytes, and nothing else: the upper bound. */
function undiciPool(receiver: Receiver, inFlight: number): Sender {
  const pool = poolOf(receiver, inFlight);
  return {
    async run(count) {
      const requests = Array.from({ length: count }, signed);
      const send = () => throughput(count, inFlight, () => post(pool, requests.pop() ?? signed()));
      return rateOf(count, await receiver.countDuring({ count, timed: false }, send));
    },
    close: () => pool.close(),
  };
}

/** A BullMQ worker on Redis as in BullMQ's guide, with one job for each delivery. It records nothing. */
async function bullmqWorker(receiver: Receiver, inFlight: number, redisUrl: string): Promise<Sender> {
  const pool = poolOf(receiver, inFlight);
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const name = `baseline-${inFlight}`;
  const queue = new Queue<Signed>(name, { connection });
  const worker = new Worker<Signed>(name, ({ data }) => post(pool, data), { connection, concurrency: inFlight });
  await worker.waitUntilReady();
  return {
    async run(count) {
      await worker.pause();
      for (let left = count; left > 0; left -= BATCH) {
        const jobs = Array.from({ length: Math.min(left, BATCH) }, signed);
        await queue.addBulk(jobs.map((data) => ({ name: 'deliver', data, opts: { removeOnComplete: true } })));
      }
      return rateOf(count, await receiver.countDuring({ count, timed: false }, async () => worker.resume()));
    },
    async close() {
      await worker.close();
      await queue.close();
      await pool.close();
    },
  };
}
