import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Meter, noMeter } from '#lib/meter.ts';
import { outageLogger } from '#lib/outage-logger.ts';
import { openWorker, type QueuePlace, type WakeUpWorker } from './queue.ts';

const REOPEN_MS = 1_000;

/**
 * Calls `onWake` for every wake-up until closed. Does not fail when the queue cannot be reached: it is opened again each
 * time, because a queue that was never reached remembers its failure.
 */
export function startConsumer(
  { log, metrics = noMeter, ...place }: QueuePlace & { readonly log: Logger; readonly metrics?: Meter | undefined },
  onWake: () => Promise<void>,
): { close(): Promise<void> } {
  const queueing = outageLogger(log, 'taking webhook wake-ups');
  const closing = new AbortController();
  const closed = new Promise<void>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve(), { once: true });
  });

  async function wake(): Promise<void> {
    queueing.recovered();
    metrics.add('paytag_queue_wake_ups_total', { outcome: 'received' });
    await onWake();
  }

  async function consume(worker: WakeUpWorker): Promise<void> {
    await worker.ready();
    queueing.recovered();
    await worker.run();
  }

  async function consumeUntilClosed(): Promise<void> {
    while (!closing.signal.aborted) {
      const worker = openWorker(place, wake, queueing.failed);
      await Promise.race([consume(worker).catch(queueing.failed), closed]);
      await worker.close();
      await sleep(REOPEN_MS, undefined, { signal: closing.signal }).catch(() => undefined); // cut short by close
    }
  }

  const consuming = consumeUntilClosed();
  return {
    close() {
      queueing.end();
      closing.abort();
      return consuming;
    },
  };
}
