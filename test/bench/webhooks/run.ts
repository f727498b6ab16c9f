import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../../src/embedded/port.ts';
import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { startRedis } from '../../support/redis-process.ts';
import { ensureRedisServer } from '../../support/setup/redis.ts';
import { bareBullmq, barePool, type Contender } from './ceiling.ts';
import { besideHanging, type Delays, fedDelays, idleDelays } from './delays.ts';
import { ours } from './ours.ts';
import { startReceiving } from './receiving.ts';

const IN_FLIGHT = 64;
/** What our worker has in flight at most. */
const OURS_IN_FLIGHT = 256;
/** By turns, so that all see the same machine. */
const ROUNDS = 3;
const TARGETS = { ofBullmq: 0.9, onPostgresql: 2_000, idleMs: 15, beside: 2 };

const count = Number(process.argv[2] ?? 100_000);
const perRound = Math.ceil(count / ROUNDS);
const delayed = Math.max(100, Math.min(1_000, Math.round(count / 50)));

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const postgres = await startEmbedded(root, { shared_buffers: '512MB', max_wal_size: '4GB' });
const redisPort = await freePort();
const redis = await startRedis(await ensureRedisServer(), redisPort);
const redisUrl = `redis://127.0.0.1:${redisPort}`;
const receiving = await startReceiving();
const closing: { close(): unknown }[] = [receiving];

async function newDatabase(name: string): Promise<string> {
  const admin = new Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return postgres.url(name);
}
function closedLater<C extends Contender>(contender: C): C {
  closing.push(contender);
  return contender;
}

try {
  const contenders = {
    pool: closedLater(barePool(receiving, IN_FLIGHT)),
    bullmq: closedLater(await bareBullmq(receiving, IN_FLIGHT, redisUrl)),
    bullmqWide: closedLater(await bareBullmq(receiving, OURS_IN_FLIGHT, redisUrl)),
    onRedis: closedLater(await ours(receiving, await newDatabase('on_redis'), redisUrl)),
    onPostgres: closedLater(await ours(receiving, await newDatabase('on_postgres'))),
  };
  const rates: Record<string, number[]> = {};
  for (const contender of Object.values(contenders)) await contender.run(Math.ceil(perRound / 3)); // warm
  const { onRedis, onPostgres } = contenders;
  const warm = onRedis.memory.length;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, contender] of Object.entries(contenders)) {
      (rates[name] ??= []).push(await contender.run(perRound));
    }
  }
  const delays = {
    idleOnRedis: await idleDelays(receiving, onRedis, delayed),
    idleOnPostgres: await idleDelays(receiving, onPostgres, delayed),
    solo: await fedDelays(receiving, onRedis, delayed),
    beside: await besideHanging(receiving, onRedis, delayed),
  };
  report(rates, delays, onRedis.memory.slice(warm), onRedis.heap);
} finally {
  for (const one of closing.toReversed()) await one.close();
  await redis.end();
  await postgres.stop();
  await rm(root, { recursive: true });
}

function report(
  rates: Record<string, number[]>,
  delays: Record<'idleOnRedis' | 'idleOnPostgres' | 'solo' | 'beside', Delays>,
  memory: readonly number[],
  heap: readonly number[],
): void {
  const median = (name: string) => (rates[name] ?? []).toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
  const [pool, bullmq] = [median('pool'), median('bullmq')];
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`;
  const rate = (name: string, value: number, target = '') =>
    row(name, `${Math.round(value)}/s`, percent(value, pool), percent(value, bullmq), target);

  console.log(
    `${count} deliveries each, ${IN_FLIGHT} in flight (ours ${OURS_IN_FLIGHT}), the median of ${ROUNDS} rounds\n`,
  );
  row('', 'deliveries', 'of the pool', 'of BullMQ', 'target');
  rate('bare undici Pool', pool);
  rate('bare BullMQ on Redis', bullmq);
  rate(`bare BullMQ, ${OURS_IN_FLIGHT} in flight`, median('bullmqWide'));
  rate('ours on Redis', median('onRedis'), `${percent(TARGETS.ofBullmq, 1)} of BullMQ`);
  rate('ours on PostgreSQL', median('onPostgres'), `${TARGETS.onPostgresql}/s`);

  console.log();
  row('commit to receipt', 'median', 'p99', '', 'target');
  const delay = (name: string, { median: middle, p99 }: Delays, ratio = '', target = '') =>
    row(name, ms(middle), ms(p99), ratio, target);
  delay('idle, on Redis', delays.idleOnRedis, '', `median ${ms(TARGETS.idleMs)}`);
  delay('idle, on PostgreSQL', delays.idleOnPostgres, '', `median ${ms(TARGETS.idleMs)}`);
  delay('100/s, alone', delays.solo);
  const times = delays.beside.p99 / delays.solo.p99;
  delay('100/s, beside a hanging one', delays.beside, `${times.toFixed(1)} times`, `p99 ${TARGETS.beside} times`);

  const quarter = Math.ceil(memory.length / 4);
  const mean = (samples: readonly number[]) => samples.reduce((sum, one) => sum + one, 0) / samples.length;
  const [first, last] = [mean(memory.slice(0, quarter)), mean(memory.slice(-quarter))];
  console.log();
  row('memory of the worker', 'first quarter', 'last quarter', '', 'target');
  row('on Redis, after warm-up', `${first.toFixed(0)} MB`, `${last.toFixed(0)} MB`, percent(last, first), 'flat');
  row('its heap without garbage', 'after warm-up', ...heap.slice(1).map((_, round) => `round ${round + 1}`));
  row('on Redis', ...heap.map((mb) => `${mb.toFixed(1)} MB`));
}

function row(name: string, ...cells: string[]): void {
  console.log(name.padEnd(30) + cells.map((cell) => cell.padStart(16)).join(''));
}
