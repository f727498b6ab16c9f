import type { Database } from '#lib/database.ts';
import { type Transact, wakeAfterCommit } from '#lib/transact.ts';
import { releaseKeptFor, selectReleasing } from './kept-store.ts';

/** In one round at most; the others wait for the next. */
const RECEIVERS_MAX = 100;

/**
 * Makes due, of what was kept for receivers that were resumed or have a URL now, up to `limit` deliveries of each, in one
 * transaction each, so that nobody who tells them something waits long.
 *
 * @returns how many; 0: there are no more
 */
export async function releaseKept(
  { db, transact }: { db: Database; transact: Transact },
  limit: number,
): Promise<number> {
  let released = 0;
  for (const id of await selectReleasing(db, RECEIVERS_MAX)) {
    released += await transact(async (tx) => {
      wakeAfterCommit(tx);
      return releaseKeptFor(tx, id, limit);
    });
  }
  return released;
}
