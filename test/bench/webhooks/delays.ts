import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ours } from './ours.ts';
import type { Receiving } from './receiving.ts';

const IDLE_GAP_MS = 20;
const FEED_EVERY_MS = 10;

/** Milliseconds from the end of a commit to the receipt. */
export interface Delays {
  readonly median: number;
  readonly p99: number;
}

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

function summary(delays: readonly number[]): Delays {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
}

/** One event at a time, each after a while in which nothing happened. */
export async function idleDelays(receiving: Receiving, { newReceiver, tell }: Ours, count: number): Promise<Delays> {
  const owner = await newReceiver('/webhook');
  const delays: number[] = [];
  for (let one = 0; one < count; one++) {
    let committedMs = 0;
    const { lastMs } = await receiving.during({ count: 1, timed: false }, async () => {
      await tell(owner, [randomUUID()]);
      committedMs = nowMs();
    });
    delays.push(lastMs - committedMs);
    await sleep(IDLE_GAP_MS + randomInt(IDLE_GAP_MS));
  }
  return summary(delays);
}

/** A hundred events a second for one receiver, `count` in all. */
export async function fedDelays(receiving: Receiving, { newReceiver, tell }: Ours, count: number): Promise<Delays> {
  const owner = await newReceiver('/webhook');
  const committed = new Map<string, number>();
  const { at } = await receiving.during({ count, timed: true }, () =>
    every(FEED_EVERY_MS, count, async () => {
      const reference = randomUUID();
      await tell(owner, [reference]);
      committed.set(reference, nowMs());
    }),
  );
  return summary(at.map(([reference, atMs]) => atMs - (committed.get(reference) ?? Number.NaN)));
}

/** The same, beside a receiver that never answers and is fed as much. */
export async function besideHanging(receiving: Receiving, one: Ours, count: number): Promise<Delays> {
  const hanging = await one.newReceiver('/hang');
  await one.tell(hanging, Array.from({ length: 100 }, randomUUID));
  const feeding = every(FEED_EVERY_MS, count, () => one.tell(hanging, [randomUUID()]));
  const delays = await fedDelays(receiving, one, count);
  await feeding;
  return delays;
}

/** Starts `work` at a steady pace, however long each takes. */
async function every(intervalMs: number, count: number, work: () => Promise<void>): Promise<void> {
  const started = performance.now();
  const running: Promise<void>[] = [];
  for (let one = 0; one < count; one++) {
    await sleep(Math.max(0, started + one * intervalMs - performance.now()));
    running.push(work());
  }
  await Promise.all(running);
}
