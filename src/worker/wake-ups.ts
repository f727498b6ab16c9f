import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { incident } from '../lib/incident.ts';
import { within } from '../lib/within.ts';
import { openQueue, type QueuePlace, type WakeUpQueue } from './queue.ts';

/** Between two wake-ups of one process. Whatever is committed in between goes with the second. */
const GAP_MS = 5;
const CLOSE_MAX_MS = 2_000;

export interface WakeUps {
  /**
   * Tells a worker, in whichever process, to look for due deliveries at once. Costs next to nothing however often it is
   * called, and never throws: when the queue is away, the workers' own sweep finds the deliveries.
   */
  wake(): void;
  /** Sends a last wake-up that was asked for, then closes. */
  close(): Promise<void>;
}

export function openWakeUps({ log, ...place }: QueuePlace & { readonly log: Logger }): WakeUps {
  const waking = incident(log, 'the queue of webhook wake-ups');
  const open = (): WakeUpQueue => openQueue(place, waking.failed);
  let queue = open();
  let reached = false; // once reached, a queue finds its way back by itself; before, it remembers its failure
  let wanted = false;
  let running: Promise<void> | undefined;

  async function add(): Promise<void> {
    try {
      await queue.add();
      reached = true;
      waking.recovered();
    } catch (error) {
      waking.failed(error);
      if (reached) return;
      await queue.close().catch(waking.failed);
      queue = open();
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
    wake() {
      wanted = true;
      running ??= addWanted().finally(() => (running = undefined));
    },
    async close() {
      await within(Promise.resolve(running), CLOSE_MAX_MS);
      waking.end();
      await within(queue.close().catch(waking.failed), CLOSE_MAX_MS);
    },
  };
}
