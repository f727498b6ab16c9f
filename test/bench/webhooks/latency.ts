import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PayTagWorker } from './paytag-worker.ts';
import type { Receiver } from './receiver.ts';

const IDLE_GAP_MS = 20;
const EVENT_EVERY_MS = 10;

/** Milliseconds from the commit of an event to its receipt. */
export interface Latency {
  readonly median: number;
  readonly p99: number;
}

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

function summary(latencies: readonly number[]): Latency {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
}

/** Sends one event at a time, each after a pause in which nothing happens. */
export async function idleLatency(
  receiver: Receiver,
  { newReceiver, publish }: PayTagWorker,
  count: number,
): Promise<Latency> {
  const owner = await newReceiver('/webhook');
  const latencies: number[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    let committedMs = 0;
    const { lastMs } = await receiver.countDuring({ count: 1, timed: false }, async () => {
      await publish(owner, [randomUUID()]);
      committedMs = nowMs();
    });
    latencies.push(lastMs - committedMs);
    await sleep(IDLE_GAP_MS + randomInt(IDLE_GAP_MS));
  }
  return summary(latencies);
}

/** Sends a hundred events a second to one receiver, `count` in all. */
export async function steadyLatency(
  receiver: Receiver,
  { newReceiver, publish }: PayTagWorker,
  count: number,
): Promise<Latency> {
  const owner = await newReceiver('/webhook');
  const committed = new Map<string, number>();
  const { at } = await receiver.countDuring({ count, timed: true }, () =>
    every(EVENT_EVERY_MS, count, async () => {
      const reference = randomUUID();
      await publish(owner, [reference]);
      committed.set(reference, nowMs());
    }),
  );
  return summary(at.map(([reference, atMs]) => atMs - (committed.get(reference) ?? Number.NaN)));
}

/** The same while as many events go to another receiver, which never answers. */
export async function latencyBesideHanging(receiver: Receiver, worker: PayTagWorker, count: number): Promise<Latency> {
  const hanging = await worker.newReceiver('/hang');
  await worker.publish(hanging, Array.from({ length: 100 }, randomUUID));
  const publishing = every(EVENT_EVERY_MS, count, () => worker.publish(hanging, [randomUUID()]));
  const latencies = await steadyLatency(receiver, worker, count);
  await publishing;
  return latencies;
}

/** Starts `work` at a steady pace, however long it takes each time. */
async function every(intervalMs: number, count: number, work: () => Promise<void>): Promise<void> {
  const started = performance.now();
  const running: Promise<void>[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    await sleep(Math.max(0, started + turn * intervalMs - performance.now()));
    running.push(work());
  }
  await Promise.all(running);
}
