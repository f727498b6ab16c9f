import { Client } from 'pg';
import { freePort } from '../../../src/embedded/port.ts';
import type { Embedded } from '../../../src/embedded/start-embedded.ts';
import { startRedis } from '../../support/redis-process.ts';
import { ensureRedisServer } from '../../support/setup/redis.ts';
import { bullmqWorker, type Sender, undiciPool } from './baselines.ts';
import { type PayTagWorker, startPayTagWorker } from './paytag-worker.ts';
import { type Receiver, startReceiver } from './receiver.ts';

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
