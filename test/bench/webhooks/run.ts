import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { median } from '../table.ts';
import { idleLatency, type Latency, latencyBesideHanging, steadyLatency } from './latency.ts';
import { IN_FLIGHT, openSenders, PAYTAG_IN_FLIGHT, ROUNDS, ratesOf, type Sender } from './senders.ts';

const TARGETS = { ofBullmq: 1, idleMs: 15, beside: 2 };

const count = Number(process.argv[2] ?? 100_000);
const perRound = Math.ceil(count / ROUNDS);
const latencyEvents = Math.max(100, Math.min(1_000, Math.round(count / 50)));

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const postgres = await startEmbedded(root, { shared_buffers: '512MB', max_wal_size: '4GB' });
const opened = await openSenders(postgres);
const { receiver, senders } = opened;
try {
  for (const sender of Object.values<Sender>({ ...senders })) await sender.run(perRound); // warm-up
  const { onRedis, onPostgres } = senders;
  const warmUpSamples = onRedis.memoryMb.length;
  const rates = await ratesOf({ ...senders }, perRound);
  const memoryMb = onRedis.memoryMb.slice(warmUpSamples);
  const latency = {
    idleOnRedis: await idleLatency(receiver, onRedis, latencyEvents),
    idleOnPostgres: await idleLatency(receiver, onPostgres, latencyEvents),
    solo: await steadyLatency(receiver, onRedis, latencyEvents),
    beside: await latencyBesideHanging(receiver, onRedis, latencyEvents),
  };
  const heapMb = [await onRedis.heapMb()];
  while (heapMb.length <= ROUNDS) {
    await onRedis.run(Math.ceil(perRound / 3));
    heapMb.push(await onRedis.heapMb());
  }
  report(rates, latency, memoryMb, heapMb);
} finally {
  await opened.close();
  await postgres.stop();
  await rm(root, { recursive: true });
}

function report(
  rates: Record<string, number[]>,
  latency: Record<'idleOnRedis' | 'idleOnPostgres' | 'solo' | 'beside', Latency>,
  memoryMb: readonly number[],
  heapMb: readonly number[],
): void {
  const medianOf = (name: string) => median(rates[name] ?? []);
  const [pool, bullmq] = [medianOf('pool'), medianOf('bullmq')];
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`;
  const rate = (name: string, value: number, target = '') =>
    row(name, `${Math.round(value)}/s`, percent(value, pool), percent(value, bullmq), target);

  console.log(
    `${count} deliveries each, ${IN_FLIGHT} in flight (PayTag ${PAYTAG_IN_FLIGHT}), the median of ${ROUNDS} rounds\n`,
  );
  row('', 'deliveries', 'of the pool', 'of BullMQ', 'target');
  rate('undici Pool', pool);
  rate('BullMQ on Redis', bullmq);
  rate(`BullMQ, ${PAYTAG_IN_FLIGHT} in flight`, medianOf('bullmqWide'));
  rate('PayTag on Redis', medianOf('onRedis'), `${percent(TARGETS.ofBullmq, 1)} of BullMQ`);
  rate('PayTag on PostgreSQL', medianOf('onPostgres'), `${percent(TARGETS.ofBullmq, 1)} of BullMQ`);

  console.log();
  row('commit to receipt', 'median', 'p99', '', 'target');
  const delay = (name: string, { median: middle, p99 }: Latency, ratio = '', target = '') =>
    row(name, ms(middle), ms(p99), ratio, target);
  delay('idle, on Redis', latency.idleOnRedis, '', `median ${ms(TARGETS.idleMs)}`);
  delay('idle, on PostgreSQL', latency.idleOnPostgres, '', `median ${ms(TARGETS.idleMs)}`);
  delay('100/s, alone', latency.solo);
  const times = latency.beside.p99 / latency.solo.p99;
  delay('100/s, beside a hanging one', latency.beside, `${times.toFixed(1)} times`, `p99 ${TARGETS.beside} times`);

  const quarter = Math.ceil(memoryMb.length / 4);
  const mean = (samples: readonly number[]) => samples.reduce((sum, one) => sum + one, 0) / samples.length;
  const [first, last] = [mean(memoryMb.slice(0, quarter)), mean(memoryMb.slice(-quarter))];
  console.log();
  row('memory of the worker', 'first quarter', 'last quarter', '', 'target');
  row('on Redis, after warm-up', `${first.toFixed(0)} MB`, `${last.toFixed(0)} MB`, percent(last, first), 'flat');
  row('its heap without garbage', 'at the end', ...heapMb.slice(1).map((_, round) => `${round + 1} runs later`));
  row('on Redis', ...heapMb.map((mb) => `${mb.toFixed(1)} MB`));
}

function row(name: string, ...cells: string[]): void {
  console.log(name.padEnd(30) + cells.map((cell) => cell.padStart(16)).join(''));
}
