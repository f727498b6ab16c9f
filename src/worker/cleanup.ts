import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { expireClaims } from '#modules/claims';
import { deleteRequestsExpiredBefore } from '#modules/idempotency';
import { deleteCreationsExpiredBefore } from '#modules/onboarding';
import { deletePreviousSecrets } from '#modules/outbox';
import { deleteOwnerCodesExpiredBefore } from '#modules/owner-proofs';
import { deleteSessionsExpiredBefore } from '#modules/sessions';
import { deleteRequestedBefore } from '#modules/statements';
import { expireSplits } from '#modules/terminals';
import { deleteCountersExpiredBefore } from '#modules/throttles';
import { autoPause } from '#modules/webhooks';
import { type PeriodicTask, startPeriodicTask } from './periodic-task.ts';

const ROUND_MS = 10 * 60 * 1000;
/** Codes, sessions and creations stay this long after their end, so that a late replay is still known for one. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A statement can be fetched this long after it was asked for. */
const STATEMENTS_KEPT_MS = 30 * DAY_MS;

type Deps = {
  webhooks: { autoPauseAfterH: number };
  log: Logger;
  metrics: { webhooks: { autoPaused(): void } };
  db: Database;
  clock: Clock;
  keyring: Keyring;
  publicUrl: string;
  transact: Transact;
};

/**
 * Deletes what is over: answers under idempotency keys, codes, sessions, counts of limits, creations with the personal
 * data in them, requests for statements, and webhook secrets that sign no more.
 * Marks as expired the splits and claims whose time is over.
 */
export async function cleanUp(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const aDayAgo = new Date(now.getTime() - KEPT_MS);
  await deleteRequestsExpiredBefore(db, now);
  await deleteCreationsExpiredBefore(db, aDayAgo);
  await deleteSessionsExpiredBefore(db, aDayAgo);
  await deleteOwnerCodesExpiredBefore(db, aDayAgo);
  await deleteCountersExpiredBefore(db, now);
  await deleteRequestedBefore(db, new Date(now.getTime() - STATEMENTS_KEPT_MS));
  await expireSplits(db, now);
  await expireClaims(deps);
  await deletePreviousSecrets(db, now);
  await autoPause(deps);
}

/** Tidies now and then until closed. */
export const startCleanup = (deps: Deps): PeriodicTask =>
  startPeriodicTask({ everyMs: ROUND_MS, log: deps.log, what: 'tidying' }, () => cleanUp(deps));
