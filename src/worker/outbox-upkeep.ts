import { purgeDeliveredBefore, purgeFailedBefore, releaseKept } from '#modules/outbox';
import type { Resources } from '../resources.ts';
import { type Rounds, startRounds } from './rounds.ts';

const ROUND_MS = 3_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** In one transaction: deliveries of one receiver, and events. */
const RELEASED_MAX = 500;
const PURGED_MAX = 500;
/** In one round at most, so that closing need not wait; what is left waits for the next. More than can be delivered in it. */
const BATCHES_MAX = 40;

type Deps = Pick<Resources, 'config' | 'db' | 'clock' | 'log' | 'wake'>;

/**
 * Makes due what was kept for receivers that can be sent to again, and forgets what was delivered WEBHOOK_RETENTION_D days
 * ago or failed WEBHOOK_FAILED_RETENTION_D days ago. Any number of processes may do so at once.
 */
export async function keepOutbox({ db, clock, config, log, wake }: Deps): Promise<void> {
  await untilNone(async () => {
    const released = await releaseKept(db, RELEASED_MAX);
    if (released > 0) wake();
    return released;
  });
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const deliveredBefore = daysAgo(config.WEBHOOK_RETENTION_D);
  await untilNone(() => purgeDeliveredBefore(db, deliveredBefore, PURGED_MAX));
  if (config.WEBHOOK_FAILED_RETENTION_D === 0) return;
  const failedBefore = daysAgo(config.WEBHOOK_FAILED_RETENTION_D);
  await untilNone(async () => {
    const purged = await purgeFailedBefore(db, failedBefore, PURGED_MAX);
    if (purged > 0) log.warn({ purged, failedBefore }, 'webhooks that never were delivered are not kept any more');
    return purged;
  });
}

async function untilNone(work: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await work()) === 0) return;
}

/** Does so every few seconds until closed. */
export const startOutboxUpkeep = (deps: Deps): Rounds =>
  startRounds({ everyMs: ROUND_MS, log: deps.log, what: 'upkeep of the outbox' }, () => keepOutbox(deps));
