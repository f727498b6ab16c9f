import type { Database } from '#lib/database.ts';
import { releaseKeptFor, selectReleasing } from './kept-store.ts';

/** In one round at most; the others wait for the next. */
const RECEIVERS_MAX = 100;

/**
 * Makes due, of what was kept for receivers that were resumed or have a URL now, up to `limit` deliveries of each, in one
 * transaction each, so that nobody who tells them something waits long. Wake the worker afterwards.
 *
 * @returns how many; 0: there are no more
 */
export async function releaseKept(db: Database, limit: number): Promise<number> {
  let released = 0;
  for (const id of await selectReleasing(db, RECEIVERS_MAX)) released += await releaseKeptFor(db, id, limit);
  return released;
}
