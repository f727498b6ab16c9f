import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withTimeout } from '#lib/clock.ts';
import { outageLogger } from '#lib/log.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import { openQueue, type QueuePlace, type WakeUpQueue } from './queue.ts';

/** The pause between two wake-ups of a process. The second covers everything committed in between. */
const GAP_MS = 5;
const LAST_MAX_MS = 1_000;

export interface QueueProducer {
  /**
   * Connects ahead of the first wake-up, so that a broken queue is logged early. A server calls it once it listens: loading BullMQ
   * takes a tenth of a second.
   */
  readonly connect: () => void;
  /**
   * Makes a worker of any process look for due deliveries at once. Cheap however often it is called, and never throws: while the queue
   * is away, the workers' own polls find the deliveries.
   */
  readonly wake: () => void;
  /** Sends the last pending wake-up, then closes. */
  close(): Promise<void>;
}

/** Sends the wake-ups of this process. An unreachable queue is logged, not thrown. */
export function openProducer({
  log,
  metrics = noMeter,
  ...place
}: QueuePlace & { readonly log: Logger; readonly metrics?: Meter }): QueueProducer {
  const waking = outageLogger(log, 'sending webhook wake-ups');
  let queue: WakeUpQueue | undefined;
  let reached = false; // once reached, a queue reconnects automatically; before, it may remember its failure
  let wanted = false;
  let closed = false;
  let running: Promise<void> | undefined;

  async function add(): Promise<void> {
    try {
      queue ??= openQueue(place, waking.failed);
      await queue.add();
      reached = true;
      metrics.add('paytag_queue_wake_ups_total', { outcome: 'sent' });
      waking.recovered();
    } catch (error) {
      waking.failed(error);
      metrics.add('paytag_queue_wake_ups_total', { outcome: 'failed' });
      if (reached || closed) return;
      const failed = queue;
      queue = undefined;
      await failed?.close();
    }
  }

  async function addWanted(): Promise<void> {
    while (wanted) {
      wanted = false;
      await add();
      await sleep(GAP_MS);
    }
  }

  return {
    connect() {
      if (!closed) queue ??= openQueue(place, waking.failed);
    },
    wake() {
      if (closed) return;
      wanted = true;
      running ??= addWanted().finally(() => (running = undefined));
    },
    async close() {
      await withTimeout(Promise.resolve(running), LAST_MAX_MS);
      closed = true;
      waking.end();
      await queue?.close();
    },
  };
}
