import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { expireApprovals } from '#modules/approvals';
import { addUpDays } from '#modules/books';
import { expireDisputes } from '#modules/disputes';
import { expireLinks } from '#modules/federations';
import { type AfterSettling, applyDeferred, expireHolds, settleDue } from '#modules/ledger';
import { expireTransactions } from '#modules/tag-transactions';

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

type Deps = { db: Database; transact: Transact; clock: Clock; afterSettling: AfterSettling };

/**
 * Does what cannot wait long: expires links, disputes, transactions and requests for approval that nobody answered in time and holds past their time, adds to
 * deferred balances what postings left to be added, credits what has waited in suspense for a reason that has gone, and adds up what moved on each day. Any number of
 * processes may do so at once.
 */
export async function maintain(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  for (const [expire, max] of [
    [expireTransactions, TRANSACTIONS_MAX],
    [expireLinks, LINKS_MAX],
    [expireApprovals, APPROVALS_MAX],
    [expireDisputes, DISPUTES_MAX],
  ] as const) {
    await inBatches(max, (limit) => expire(deps, limit, now));
  }
  await inBatches(HOLDS_MAX, (limit) => expireHolds(db, limit));
  await inBatches(MOVEMENTS_MAX, (limit) => applyDeferred(db, limit));
  await settleDue(deps, SETTLED_MAX);
  await addUpDays(deps);
}

/** Until a batch is not full, so that a backlog takes few runs. */
async function inBatches(size: number, work: (limit: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await work(size)) < size) return;
}
