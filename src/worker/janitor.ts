import { expireClaims } from '#modules/claims';
import { deleteRequestsExpiredBefore } from '#modules/idempotency';
import { deleteCreationsExpiredBefore } from '#modules/onboarding';
import { purgeDeliveredBefore } from '#modules/outbox';
import { deleteSessionsExpiredBefore } from '#modules/sessions';
import { deleteRequestedBefore } from '#modules/statements';
import { expireSplits } from '#modules/terminals';
import { deleteCountersExpiredBefore } from '#modules/throttles';
import { autoPause } from '#modules/webhooks';
import type { Resources } from '../resources.ts';
import { type Rounds, startRounds } from './rounds.ts';

const ROUND_MS = 10 * 60 * 1000;
/** Codes, sessions and creations stay this long after their end, so that a late replay is still known for one. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Events in one transaction, and transactions in one round; what is left waits for the next. */
const PURGE_BATCH = 500;
const PURGE_BATCHES_MAX = 100;
/** A statement can be fetched this long after it was asked for. */
const STATEMENTS_KEPT_MS = 30 * DAY_MS;

type Deps = Pick<Resources, 'config' | 'log' | 'metrics' | 'db' | 'clock' | 'keyring' | 'publicUrl' | 'wake'>;

/**
 * Deletes what is over: answers under idempotency keys, codes, sessions, counts of limits, creations with the personal
 * data in them, and requests for statements.
 * Marks as expired the splits and claims whose time is over.
 */
export async function tidy(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const aDayAgo = new Date(now.getTime() - KEPT_MS);
  await deleteRequestsExpiredBefore(db, now);
  await deleteCreationsExpiredBefore(db, aDayAgo);
  await deleteSessionsExpiredBefore(db, aDayAgo);
  await deleteCountersExpiredBefore(db, now);
  await deleteRequestedBefore(db, new Date(now.getTime() - STATEMENTS_KEPT_MS));
  await expireSplits(db, now);
  await expireClaims(deps);
  await purgeWebhooks(deps);
  await autoPause(deps);
}

async function purgeWebhooks({ db, clock, config }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - config.WEBHOOK_RETENTION_D * DAY_MS);
  for (let batch = 0; batch < PURGE_BATCHES_MAX; batch += 1) {
    if ((await purgeDeliveredBefore(db, before, PURGE_BATCH)) < PURGE_BATCH) return;
  }
}

/** Tidies now and then until closed. */
export const startJanitor = (deps: Deps): Rounds =>
  startRounds({ everyMs: ROUND_MS, log: deps.log, what: 'tidying' }, () => tidy(deps));
