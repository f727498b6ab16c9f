import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';

/** Batches of one step before it is the turn of the next: a backlog of one holds up no other. */
const BATCHES_IN_A_ROW = 100;
/** How much longer than a batch took the pause after it is, so that what runs beside it has the store for itself most of the time. */
const PAUSE_FACTOR = 3;
const PAUSE_MAX_MS = 1_000;
/** After a failure, until a step is tried again while the run goes on: as long as until the next run of what runs each minute. */
const RETRY_AFTER_MS = 60_000;

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
  /** Milliseconds as they pass, from any moment on; those of this machine, if nothing is said. */
  elapsedMs?: () => number;
}

/**
 * Does each step until none has more to do, taking turns. One that is done has its turn all the same: while another has a backlog
 * of hours, it comes to have more. One that fails is logged and counted each time, and the others go on: it is tried again a minute
 * later, by this run where it still goes on, which ends the turn of a backlog for it, and otherwise by the next one.
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
        log.error({ err, step: step.name }, `${step.name} failed; it is tried again`);
        metrics.add('paytag_task_steps_failed_total', { step: step.name });
        retriedAt.set(step, elapsedMs() + RETRY_AFTER_MS);
      }
    }
  }
  if (retriedAt.size > 0) throw new Error(`what failed: ${[...retriedAt.keys()].map(({ name }) => name).join(', ')}`);
}

/**
 * A batch, and more of them until it is another's turn.
 *
 * @returns whether the step has nothing more to do now
 */
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
