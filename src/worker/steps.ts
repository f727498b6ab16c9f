import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';

/** Batches of one step before the next step has its turn: the backlog of one does not delay the others. */
const BATCHES_IN_A_ROW = 100;
/** The pause after a batch, as a multiple of the batch's duration: requests have the database to themselves most of the time. */
const PAUSE_FACTOR = 3;
const PAUSE_MAX_MS = 1_000;
/** The delay before a failed step is retried in the same run: as long as until the next run of a task of each minute. */
const RETRY_AFTER_MS = 60_000;

/** A part of a periodic task. Each batch is a transaction of its own. */
export interface Step {
  /** Its name in the log and in the metrics. */
  readonly name: string;
  /** Runs one batch. @returns true when the step has no more work in this turn */
  batch(): Promise<boolean>;
}

/** A step of one batch. */
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
  /** Aborted when the run shall begin nothing more. */
  closing?: AbortSignal | undefined;
  /** Pauses between batches, for work that is not urgent. */
  isPaced?: boolean;
  /** A monotonic clock in milliseconds; this machine's by default. */
  elapsedMs?: () => number;
}

/**
 * Runs the steps in turns until none has more work. A step without work keeps its turn: during another's backlog of hours it gets new
 * work. A failed step is logged and counted, and the others continue; it is retried a minute later, in this run if it still runs,
 * otherwise in the next.
 *
 * @throws Error that names the steps whose last try failed, after the others are done
 */
export async function runSteps({ log, metrics }: Deps, steps: readonly Step[], run: Run = {}): Promise<void> {
  const { closing, elapsedMs = () => performance.now() } = run;
  const retriedAt = new Map<Step, number>();
  const isDue = (at: number): boolean => at <= elapsedMs();
  const isOneDue = (): boolean => [...retriedAt.values()].some(isDue);
  let hasMore = true;
  while (hasMore && !isAborted(closing)) {
    hasMore = false;
    for (const step of steps) {
      if (isAborted(closing)) break;
      if (!isDue(retriedAt.get(step) ?? Number.NEGATIVE_INFINITY)) continue;
      retriedAt.delete(step);
      try {
        if (!(await someBatches(step, run, isOneDue))) hasMore = true;
      } catch (err) {
        log.error(
          { event: 'task.step_failed', err, step: step.name },
          'a step of a task failed; it is retried in a minute',
        );
        metrics.add('paytag_task_steps_failed_total', { step: step.name });
        retriedAt.set(step, elapsedMs() + RETRY_AFTER_MS);
      }
    }
  }
  if (retriedAt.size > 0) throw new Error(`failed steps: ${[...retriedAt.keys()].map(({ name }) => name).join(', ')}`);
}

/** Runs batches until the turn of the next step. @returns true when the step has no more work now */
async function someBatches(step: Step, { closing, isPaced = false }: Run, isOneDue: () => boolean): Promise<boolean> {
  for (let batch = 0; batch < BATCHES_IN_A_ROW; batch++) {
    if (isAborted(closing)) return true;
    const begun = performance.now();
    if (await step.batch()) return true;
    if (isPaced) await pause((performance.now() - begun) * PAUSE_FACTOR, closing);
    if (isOneDue()) return false;
  }
  return false;
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.min(ms, PAUSE_MAX_MS), undefined, signal && { signal }).catch(() => undefined);
}
