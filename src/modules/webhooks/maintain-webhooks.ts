import type { Database } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { releaseHeldOf, selectReleasing } from './pause-store.ts';

/** In one call at most; the others wait for the next. */
const RECEIVERS_MAX = 100;

/**
 * Makes held deliveries due for receivers that were resumed or have a URL now: up to `limit` of each, in one transaction
 * each, so that nobody who writes them an event waits long.
 *
 * @returns how many; 0: there are no more
 */
export async function releaseHeld(
  { db, transact }: { db: Database; transact: Transact },
  limit: number,
): Promise<number> {
  let released = 0;
  for (const id of await selectReleasing(db, RECEIVERS_MAX)) {
    released += await transact(async (tx) => {
      const due = await releaseHeldOf(tx, id, limit);
      if (due > 0) wakeAfterCommit(tx);
      return due;
    });
  }
  return released;
}

/** Deliveries of one receiver in one transaction. */
const RELEASED_MAX = 500;
/** In one run at most; what is left waits for the next. */
const BATCHES_MAX = 40;

/**
 * Makes held deliveries due for receivers that can be sent to again. Any number of processes may do so at once.
 *
 * @param closing aborted when no further batch is to be begun
 */
export async function maintainWebhooks(
  deps: { db: Database; transact: Transact },
  closing?: AbortSignal,
): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (closing?.aborted === true || (await releaseHeld(deps, RELEASED_MAX)) === 0) return;
  }
}
