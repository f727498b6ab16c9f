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
import { maintainEachMinute } from './each-minute.ts';
import { maintain } from './maintenance.ts';
import { measuredTask } from './measured-task.ts';
import { startPeriodicTask } from './periodic-task.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

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

/** Delivers webhooks and runs every periodic task until closed. Any number of processes may do so at once. */
export function startWorker(deps: WorkerDeps): RunningWorker {
  const every = (everyMs: number, what: string, work: (closing: AbortSignal) => Promise<void>) =>
    startPeriodicTask({ everyMs, what, log: deps.log }, measuredTask({ metrics: deps.metrics, task: what }, work));

  const delivery = startDelivery(deps);
  const tasks = [
    every(SECOND_MS / 4, 'carrying payouts', (closing) => carryPayouts(deps, closing)),
    every(SECOND_MS / 4, 'booking what providers told', (closing) => bookInbox(deps, closing)),
    every(SECOND_MS, 'preparing statements', (closing) => prepareStatements(deps, closing)),
    every(SECOND_MS, 'sending notices to customers', (closing) => sendNotices(deps, closing)),
    every(SECOND_MS, 'sending letters to partners and applications', () => sendLetters(deps)),
    every(3 * SECOND_MS, 'putting contacts in force', () => putContactChangesInForce(deps)),
    every(3 * SECOND_MS, 'maintenance of the books', (closing) => maintain(deps, closing)),
    every(3 * SECOND_MS, 'maintenance of webhooks', (closing) => maintainWebhooks(deps, closing)),
    every(3 * SECOND_MS, 'watching webhook receivers', () => watchReceivers(deps)),
    every(3 * SECOND_MS, 'telling owners of webhook receivers', () => tellOwners(deps)),
    every(MINUTE_MS, 'sealing the books', async (closing) => void (await sealDue(deps, undefined, closing))),
    every(10 * MINUTE_MS, 'comparing days with providers', (closing) => runDueComparisons(deps, closing)),
    every(MINUTE_MS, 'maintenance each minute', (closing) => maintainEachMinute(deps, closing)),
    every(MINUTE_MS, 'cleanup', (closing) => cleanUp(deps, closing)),
    every(MINUTE_MS, 'the check of the books', async () => runDueCheck(deps, (await sealedUntil(deps.db))?.endsAt)),
  ];
  return {
    async close() {
      await Promise.all([deps.checker.close(), delivery.close(), ...tasks.map((task) => task.close())]);
    },
  };
}
