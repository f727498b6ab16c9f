import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Meter } from '#lib/meter.ts';
import { underWay } from '#lib/stall-watch.js';
import { putContactChangesInForce } from '#modules/accounts';
import { sendMails, sendWebhookAlerts } from '#modules/clients';
import { bookInbox } from '#modules/collections';
import { sendNotices } from '#modules/customers';
import { sendPayouts } from '#modules/payouts';
import { type Checker, runDueCheck, sealDue, sealedUntil } from '#modules/proof';
import { runDueComparisons } from '#modules/reconciliation';
import { prepareStatements } from '#modules/statements';
import { maintainWebhooks, watchReceivers } from '#modules/webhooks';
import { type RetentionDeps, retention } from '../rooms.ts';
import { type DeliveryDeps, startDelivery } from './deliver-webhooks.ts';
import { maintain, maintainEachMinute } from './maintenance.ts';
import { runSteps, type Step } from './steps.ts';

/** A periodic task. */
interface Task {
  /** Its name in the log and in the metrics. */
  readonly name: string;
  /** Milliseconds from the end of one run to the next. */
  readonly every: number;
  /** @param closing aborted when the run shall begin nothing more */
  readonly run: (closing: AbortSignal) => Promise<unknown>;
}

/** Runs each task until closed. A failed run is logged, and the next one retries. `close` resolves when the current runs have ended. */
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
      .catch((err: unknown) =>
        deps.log.warn({ event: 'task.failed', err, task: task.name }, 'a periodic task failed; its next run retries'),
      )
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

type Deps = RetentionDeps & { clock: Clock; log: Logger; metrics: Meter };

/**
 * Deletes rows at the end of their retention, which `rooms.ts` lists for each table. A step that fails does not stop the others. Several
 * processes may run it at the same time, and end at any moment.
 *
 * @param closing aborted when the run shall begin nothing more
 * @throws Error when a step has failed, after the others are done
 */
export async function cleanUp(deps: Deps, closing?: AbortSignal): Promise<void> {
  await runSteps(deps, forgetting(deps), { closing, isPaced: true });
}

/** One step for each retention rule of a table. */
function forgetting(deps: Deps): Step[] {
  return retention.flatMap(({ table, forget = {} }) =>
    Object.entries(forget).map(([what, some]) => ({
      name: what === 'rows' ? `forgetting ${table}` : `forgetting ${table}: ${what}`,
      async batch() {
        const { rows, isAll } = await some(deps, deps.clock.now());
        if (rows > 0) deps.metrics.add('paytag_forgotten_rows_total', { table }, rows);
        return isAll;
      },
    })),
  );
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export type WorkerDeps = DeliveryDeps &
  Parameters<typeof prepareStatements>[0] &
  Parameters<typeof sendNotices>[0] &
  Parameters<typeof sendMails>[0] &
  Parameters<typeof putContactChangesInForce>[0] &
  Parameters<typeof sendPayouts>[0] &
  Parameters<typeof bookInbox>[0] &
  Parameters<typeof runDueComparisons>[0] &
  Parameters<typeof maintain>[0] &
  Parameters<typeof maintainWebhooks>[0] &
  Parameters<typeof watchReceivers>[0] &
  Parameters<typeof sendWebhookAlerts>[0] &
  Parameters<typeof sealDue>[0] &
  Parameters<typeof maintainEachMinute>[0] &
  Parameters<typeof cleanUp>[0] & { checker: Checker; metrics: Meter };

export interface RunningWorker {
  /** Begins nothing more, releases claimed deliveries that are not sent, and resolves when the work under way has ended. */
  close(): Promise<void>;
}

/** Delivers webhooks and runs every task until closed. Several processes may do so at the same time. */
export function startWorker(deps: WorkerDeps): RunningWorker {
  const delivery = startDelivery(deps);
  const tasks = startTasks(tasksOf(deps), deps);
  return {
    async close() {
      await Promise.all([deps.checker.close(), delivery.close(), tasks.close()]);
    },
  };
}

/** The list of periodic tasks. */
const tasksOf = (deps: WorkerDeps): Task[] => [
  { name: 'carrying payouts', every: SECOND / 4, run: (closing) => sendPayouts(deps, closing) },
  { name: 'booking what providers told', every: SECOND / 4, run: (closing) => bookInbox(deps, closing) },
  { name: 'preparing statements', every: SECOND, run: (closing) => prepareStatements(deps, closing) },
  { name: 'sending notices to customers', every: SECOND, run: (closing) => sendNotices(deps, closing) },
  { name: 'sending letters to partners and applications', every: SECOND, run: () => sendMails(deps) },
  { name: 'putting contacts in force', every: 3 * SECOND, run: () => putContactChangesInForce(deps) },
  { name: 'maintenance of the books', every: 3 * SECOND, run: (closing) => maintain(deps, closing) },
  { name: 'maintenance of webhooks', every: 3 * SECOND, run: (closing) => maintainWebhooks(deps, closing) },
  { name: 'watching webhook receivers', every: 3 * SECOND, run: () => watchReceivers(deps) },
  { name: 'telling owners of webhook receivers', every: 3 * SECOND, run: () => sendWebhookAlerts(deps) },
  { name: 'sealing the books', every: MINUTE, run: (closing) => sealDue(deps, undefined, closing) },
  { name: 'comparing days with providers', every: 10 * MINUTE, run: (closing) => runDueComparisons(deps, closing) },
  { name: 'maintenance each minute', every: MINUTE, run: (closing) => maintainEachMinute(deps, closing) },
  { name: 'cleanup', every: MINUTE, run: (closing) => cleanUp(deps, closing) },
  {
    name: 'the check of the books',
    every: MINUTE,
    run: async () => runDueCheck(deps, (await sealedUntil(deps.db))?.endsAt),
  },
];
