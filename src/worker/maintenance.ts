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

/** Most rows of one transaction: it bounds how long rows stay locked. */
const HOLDS_MAX = 200;
const CLAIMS_MAX = 200;
const MOVEMENTS_MAX = 5_000;
/** Most rows of one run; the next run takes the rest. */
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
 * The frequent maintenance: expires links, disputes, transactions, approval requests and holds, applies deferred movements to balances,
 * credits payments whose reason for suspense is gone, and adds up the days. A step that fails does not stop the others. Several
 * processes may run it at the same time.
 *
 * @param closing aborted when the run shall begin nothing more
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
 * Pauses receivers that have failed for long, and expires splits and claims. Separate from the cleanup, whose runs can take hours. A step
 * that fails does not stop the others. Several processes may run it at the same time, and end at any moment.
 *
 * @param closing aborted when the run shall begin nothing more
 * @throws Error when a step has failed, after the others are done
 */
export async function maintainEachMinute(deps: EachMinuteDeps, closing?: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const steps = [
    once('pausing receivers', () => autoPause(deps)),
    once('expiring splits', () => expireSplits(db, clock.now(), closing)),
    inBatches('expiring claims', CLAIMS_MAX, (limit) => expireClaims(deps, limit, clock.now())),
  ];
  await runSteps(deps, steps, { closing });
}

/** A step that runs batches until one is not full, so that a backlog takes few runs. */
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
