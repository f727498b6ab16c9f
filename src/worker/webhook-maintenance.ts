import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { purgeDeliveries, releaseHeld } from '#modules/webhooks';
import { type PeriodicTask, startPeriodicTask } from './periodic-task.ts';

const ROUND_MS = 3_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** In one transaction: deliveries of one receiver, and events. */
const RELEASED_MAX = 500;
const PURGED_MAX = 500;
/** In one round at most, so that closing need not wait; what is left waits for the next. More than can be delivered in it. */
const BATCHES_MAX = 40;

type Deps = {
  webhooks: { failedRetentionD: number; retentionD: number };
  db: Database;
  clock: Clock;
  log: Logger;
  transact: Transact;
};

/**
 * Makes due what was kept for receivers that can be sent to again, and forgets what was delivered WEBHOOK_RETENTION_D days
 * ago or failed WEBHOOK_FAILED_RETENTION_D days ago. Any number of processes may do so at once.
 */
export async function maintainWebhooks(deps: Deps): Promise<void> {
  const { clock, webhooks, log } = deps;
  await untilNone(() => releaseHeld(deps, RELEASED_MAX));
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const deliveredBefore = daysAgo(webhooks.retentionD);
  await untilNone(() => purgeDeliveries(deps, { status: 'DELIVERED', before: deliveredBefore, limit: PURGED_MAX }));
  if (webhooks.failedRetentionD === 0) return;
  const failedBefore = daysAgo(webhooks.failedRetentionD);
  await untilNone(async () => {
    const purged = await purgeDeliveries(deps, { status: 'FAILED', before: failedBefore, limit: PURGED_MAX });
    if (purged > 0) log.warn({ purged, failedBefore }, 'webhooks that never were delivered are not kept any more');
    return purged;
  });
}

async function untilNone(work: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await work()) === 0) return;
}

/** Does so every few seconds until closed. */
export const startWebhookMaintenance = (deps: Deps): PeriodicTask =>
  startPeriodicTask({ everyMs: ROUND_MS, log: deps.log, what: 'maintenance of webhooks' }, () =>
    maintainWebhooks(deps),
  );
