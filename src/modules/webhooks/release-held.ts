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
