import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';

/** Batches of one step before it is the turn of the next: a backlog of one holds up no other. */
const BATCHES_IN_A_ROW = 100;
/** How much longer than a batch took the pause after it is, so that what runs beside it has the store for itself most of the time. */
const PAUSE_FACTOR = 3;
const PAUSE_MAX_MS = 1_000;

/** A part of what a worker does from time to time, of which each batch is a transaction of its own. */
export interface Step {
  /** In words: it stands in the log and in the metrics. */
  readonly name: string;
  /** Does some of it. @returns whether there is nothing more to do now, or nothing more that this turn is to do */
  batch(): Promise<boolean>;
}

/** A step that is done at once. */
export const once = (name: string, work: () => Promise<unknown>): Step => ({
  name,
  async batch() {
    await work();
    return true;
  },
});

interface Deps {
  log: Logger;
  metrics: Meter;
}

interface Run {
  /** Aborted when nothing more is to be begun. */
  closing?: AbortSignal | undefined;
  /** Leaves the store to others between two batches: for what nobody waits for. */
  isPaced?: boolean;
}

/**
 * Does each step until none has more to do, taking turns. One that is done has its turn all the same: while another has a backlog
 * of hours, it comes to have more. One that fails is logged and counted, and the others go on: it is tried again by the next run.
 *
 * @throws Error that names the steps that failed, after the others are done
 */
export async function runSteps({ log, metrics }: Deps, steps: readonly Step[], run: Run = {}): Promise<void> {
  const failed = new Set<string>();
  let hasMore = true;
  while (hasMore && run.closing?.aborted !== true) {
    hasMore = false;
    for (const step of steps.filter(({ name }) => !failed.has(name))) {
      try {
        if (!(await someBatches(step, run))) hasMore = true;
      } catch (err) {
        log.error({ err, step: step.name }, `${step.name} failed; the next run tries again`);
        metrics.add('paytag_task_steps_failed_total', { step: step.name });
        failed.add(step.name);
      }
    }
  }
  if (failed.size > 0) throw new Error(`what failed: ${[...failed].join(', ')}`);
}

/** @returns whether the step has nothing more to do now */
async function someBatches(step: Step, { closing, isPaced = false }: Run): Promise<boolean> {
  for (let batch = 0; batch < BATCHES_IN_A_ROW; batch++) {
    if (closing?.aborted === true) return true;
    const begun = performance.now();
    if (await step.batch()) return true;
    if (isPaced) await pause((performance.now() - begun) * PAUSE_FACTOR, closing);
  }
  return false;
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.min(ms, PAUSE_MAX_MS), undefined, signal && { signal }).catch(() => undefined);
}
