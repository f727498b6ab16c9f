import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';
import { underWay } from '#lib/stall-watch.js';

/** What a worker does again and again. */
export interface Task {
  /** In words: it stands in the log and in the metrics. */
  readonly name: string;
  /** Milliseconds from the end of one run to the next. */
  readonly every: number;
  /** @param closing aborted when the run is to begin nothing more */
  readonly run: (closing: AbortSignal) => Promise<unknown>;
}

/** Runs each task until closed. A run that fails is logged and tried again. `close` begins no more, and resolves when what runs has ended. */
export function startTasks(tasks: readonly Task[], deps: { log: Logger; metrics: Meter }): { close(): Promise<void> } {
  const closing = new AbortController();
  const timers = new Map<Task, NodeJS.Timeout>();
  const running = new Map<Task, Promise<void>>();

  function schedule(task: Task): void {
    if (!closing.signal.aborted)
      timers.set(
        task,
        setTimeout(() => begin(task), task.every),
      );
  }
  function begin(task: Task): void {
    const run = measured(task, closing.signal, deps.metrics)
      .catch((err: unknown) => deps.log.warn({ err }, `${task.name} failed; the next run tries again`))
      .finally(() => schedule(task));
    running.set(task, run);
  }
  for (const task of tasks) schedule(task);
  return {
    async close() {
      closing.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

async function measured({ name: task, run }: Task, closing: AbortSignal, metrics: Meter): Promise<void> {
  const beganAt = performance.now();
  const described = {};
  underWay.set(described, () => ({ task }));
  let outcome: 'ok' | 'failed' = 'failed';
  try {
    await run(closing);
    outcome = 'ok';
    metrics.set('paytag_task_last_success_timestamp_seconds', { task }, Date.now() / 1000);
  } finally {
    underWay.delete(described);
    metrics.add('paytag_task_runs_total', { task, outcome });
    metrics.observe('paytag_task_duration_seconds', { task }, (performance.now() - beganAt) / 1000);
  }
}
