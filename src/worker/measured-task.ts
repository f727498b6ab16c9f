import type { Meter } from '#lib/meter.ts';
import { underWay } from '#lib/stall-watch.js';

/** The same task, with its runs measured under its name. */
export const measuredTask =
  <Given extends unknown[]>(
    { metrics, task }: { metrics: Meter; task: string },
    work: (...given: Given) => Promise<void>,
  ): ((...given: Given) => Promise<void>) =>
  async (...given) => {
    const beganAt = performance.now();
    const run = {};
    underWay.set(run, () => ({ task }));
    let outcome: 'ok' | 'failed' = 'failed';
    try {
      await work(...given);
      outcome = 'ok';
      metrics.set('paytag_task_last_success_timestamp_seconds', { task }, Date.now() / 1000);
    } finally {
      underWay.delete(run);
      metrics.add('paytag_task_runs_total', { task, outcome });
      metrics.observe('paytag_task_duration_seconds', { task }, (performance.now() - beganAt) / 1000);
    }
  };
