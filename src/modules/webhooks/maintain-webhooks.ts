import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { purgeDeliveries } from './purge-store.ts';
import { releaseHeld } from './release-held.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** In one transaction: deliveries of one receiver, and events. */
const RELEASED_MAX = 500;
const PURGED_MAX = 500;
/** In one run at most, so that closing need not wait; what is left waits for the next. More than is delivered between two. */
const BATCHES_MAX = 40;

/**
 * Makes held deliveries due for receivers that can be sent to again, and purges what was delivered `retentionD` days ago or
 * failed `failedRetentionD` days ago; 0 days: failed ones are never purged. Any number of processes may do so at once.
 */
export async function maintainWebhooks(deps: {
  webhooks: { failedRetentionD: number; retentionD: number };
  db: Database;
  clock: Clock;
  log: Logger;
  transact: Transact;
}): Promise<void> {
  const { clock, webhooks, log } = deps;
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const purge = (status: 'DELIVERED' | 'FAILED', before: Date) =>
    purgeDeliveries(deps, { status, before, limit: PURGED_MAX });

  await untilNone(() => releaseHeld(deps, RELEASED_MAX));
  const deliveredBefore = daysAgo(webhooks.retentionD);
  await untilNone(() => purge('DELIVERED', deliveredBefore));
  if (webhooks.failedRetentionD === 0) return;
  const failedBefore = daysAgo(webhooks.failedRetentionD);
  await untilNone(async () => {
    const purged = await purge('FAILED', failedBefore);
    if (purged > 0) log.warn({ purged, failedBefore }, 'webhooks that never were delivered are not kept any more');
    return purged;
  });
}

async function untilNone(work: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await work()) === 0) return;
}
