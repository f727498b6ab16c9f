import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withTimeout } from '#lib/clock.ts';
import { outageLogger } from '#lib/log.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import { openQueue, type QueuePlace, type WakeUpQueue } from './queue.ts';

/** Between two wake-ups of one process. Whatever is committed in between is covered by the second. */
const GAP_MS = 5;
const LAST_MAX_MS = 1_000;

export interface QueueProducer {
  /**
   * Connects, so that the first wake-up need not, and what is wrong with the queue is logged. A server does it once it listens:
   * loading BullMQ takes a tenth of a second.
   */
  readonly connect: () => void;
  /**
   * Has a worker, in whichever process, look for due deliveries at once. Costs next to nothing however often it is
   * called, and never throws: while the queue is away, the workers' own polls find the deliveries.
   */
  readonly wake: () => void;
  /** Sends a last wake-up that was asked for, then closes. */
  close(): Promise<void>;
}

/** The sending end of the wake-ups for this process. When the queue is unreachable it logs that, and does not throw. */
export function openProducer({
  log,
  metrics = noMeter,
  ...place
}: QueuePlace & { readonly log: Logger; readonly metrics?: Meter }): QueueProducer {
  const waking = outageLogger(log, 'sending webhook wake-ups');
  let queue: WakeUpQueue | undefined;
  let reached = false; // once reached, a queue reconnects by itself; before, it may remember its failure
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
