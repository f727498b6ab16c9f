import type { Meter } from '#lib/meter.ts';
import { tellOwners } from '#modules/alerts';
import { bookInbox } from '#modules/inbox';
import { type Checker, runDueCheck } from '#modules/integrity';
import { sendLetters } from '#modules/letters';
import { sendNotices } from '#modules/notices';
import { putContactChangesInForce } from '#modules/onboarding';
import { carryPayouts } from '#modules/payouts';
import { runDueComparisons } from '#modules/rails';
import { sealDue, sealedUntil } from '#modules/seals';
import { prepareStatements } from '#modules/statements';
import { maintainWebhooks, watchReceivers } from '#modules/webhooks';
import { cleanUp } from './cleanup.ts';
import { type DeliveryDeps, startDelivery } from './deliver-webhooks.ts';
import { maintain, maintainEachMinute } from './maintenance.ts';
import { startTasks, type Task } from './tasks.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export type WorkerDeps = DeliveryDeps &
  Parameters<typeof prepareStatements>[0] &
  Parameters<typeof sendNotices>[0] &
  Parameters<typeof sendLetters>[0] &
  Parameters<typeof putContactChangesInForce>[0] &
  Parameters<typeof carryPayouts>[0] &
  Parameters<typeof bookInbox>[0] &
  Parameters<typeof runDueComparisons>[0] &
  Parameters<typeof maintain>[0] &
  Parameters<typeof maintainWebhooks>[0] &
  Parameters<typeof watchReceivers>[0] &
  Parameters<typeof tellOwners>[0] &
  Parameters<typeof sealDue>[0] &
  Parameters<typeof maintainEachMinute>[0] &
  Parameters<typeof cleanUp>[0] & { checker: Checker; metrics: Meter };

export interface RunningWorker {
  /** Begins nothing more, hands back what is claimed and not sent, and resolves when what is under way has ended. */
  close(): Promise<void>;
}

/** Delivers webhooks and runs every task until closed. Any number of processes may do so at once. */
export function startWorker(deps: WorkerDeps): RunningWorker {
  const delivery = startDelivery(deps);
  const tasks = startTasks(tasksOf(deps), deps);
  return {
    async close() {
      await Promise.all([deps.checker.close(), delivery.close(), tasks.close()]);
    },
  };
}

/** Everything that a worker does from time to time. */
const tasksOf = (deps: WorkerDeps): Task[] => [
  { name: 'carrying payouts', every: SECOND / 4, run: (closing) => carryPayouts(deps, closing) },
  { name: 'booking what providers told', every: SECOND / 4, run: (closing) => bookInbox(deps, closing) },
  { name: 'preparing statements', every: SECOND, run: (closing) => prepareStatements(deps, closing) },
  { name: 'sending notices to customers', every: SECOND, run: (closing) => sendNotices(deps, closing) },
  { name: 'sending letters to partners and applications', every: SECOND, run: () => sendLetters(deps) },
  { name: 'putting contacts in force', every: 3 * SECOND, run: () => putContactChangesInForce(deps) },
  { name: 'maintenance of the books', every: 3 * SECOND, run: (closing) => maintain(deps, closing) },
  { name: 'maintenance of webhooks', every: 3 * SECOND, run: (closing) => maintainWebhooks(deps, closing) },
  { name: 'watching webhook receivers', every: 3 * SECOND, run: () => watchReceivers(deps) },
  { name: 'telling owners of webhook receivers', every: 3 * SECOND, run: () => tellOwners(deps) },
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
