import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { expireClaims, expireLinks } from '#modules/consent';
import { expireDisputes } from '#modules/disputes';
import { type AfterSettling, addUpDays, applyDeferred, expireHolds, settleDue } from '#modules/ledger';
import { expireTransactions } from '#modules/offers';
import { expireApprovals } from '#modules/operators';
import { expireSplits } from '#modules/terminals';
import { autoPause } from '#modules/webhooks';
import { once, runSteps, type Step } from './steps.ts';

/** In one transaction at most: it bounds how long rows stay locked. */
const HOLDS_MAX = 200;
const MOVEMENTS_MAX = 5_000;
/** In one run at most; what is left waits for the next. */
const SETTLED_MAX = 500;
const TRANSACTIONS_MAX = 200;
const LINKS_MAX = 200;
const DISPUTES_MAX = 200;
const APPROVALS_MAX = 200;
const BATCHES_MAX = 20;

type Deps = { db: Database; transact: Transact; clock: Clock; afterSettling: AfterSettling } & Parameters<
  typeof runSteps
>[0];

/**
 * Does what cannot wait long: expires links, disputes, transactions and requests for approval that nobody answered in time and holds past their time, adds to
 * deferred balances what postings left to be added, credits what has waited in suspense for a reason that has gone, and adds up what moved on each day. Each by
 * itself: one that fails stops no other. Any number of processes may do so at once.
 *
 * @param closing aborted when nothing more is to be begun
 */
export async function maintain(deps: Deps, closing?: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const steps = [
    inBatches('expiring offers', TRANSACTIONS_MAX, (limit) => expireTransactions(deps, limit, now)),
    inBatches('expiring links', LINKS_MAX, (limit) => expireLinks(deps, limit, now)),
    inBatches('expiring requests for approval', APPROVALS_MAX, (limit) => expireApprovals(deps, limit, now)),
    inBatches('expiring disputes', DISPUTES_MAX, (limit) => expireDisputes(deps, limit, now)),
    inBatches('expiring holds', HOLDS_MAX, (limit) => expireHolds(db, limit)),
    inBatches('adding to deferred balances', MOVEMENTS_MAX, (limit) => applyDeferred(db, limit)),
    once('settling suspense', () => settleDue(deps, SETTLED_MAX)),
    once('adding up days', () => addUpDays(deps)),
  ];
  await runSteps(deps, steps, { closing });
}

type EachMinuteDeps = Parameters<typeof expireClaims>[0] &
  Parameters<typeof autoPause>[0] &
  Parameters<typeof runSteps>[0] & { clock: Clock };

/**
 * Pauses receivers that have failed for long, and marks splits and claims as expired: apart from the clean-up, whose runs take hours
 * when much is to be forgotten. Each by itself: one that fails stops no other. Any number of processes may do so at once, and be ended at any moment.
 *
 * @param closing aborted when nothing more is to be begun
 * @throws Error when a step has failed, after the others are done
 */
export async function maintainEachMinute(deps: EachMinuteDeps, closing?: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const steps = [
    once('pausing receivers', () => autoPause(deps)),
    once('expiring splits', () => expireSplits(db, clock.now(), closing)),
    once('expiring claims', () => expireClaims(deps, closing)),
  ];
  await runSteps(deps, steps, { closing });
}

/** Until a batch is not full, so that a backlog takes few runs. */
function inBatches(name: string, size: number, work: (limit: number) => Promise<number>): Step {
  let batches = 0;
  return {
    name,
    async batch() {
      batches += 1;
      return (await work(size)) < size || batches === BATCHES_MAX;
    },
  };
}
