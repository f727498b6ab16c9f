import type { Database } from '#lib/database.ts';
import { addUpUntil, selectLagS } from './store.ts';

/** What is younger is not added up yet, so that a clock that is set back a little changes nothing. */
const GRACE_S = 5 * 60;
/** So often at most, since every time writes a row for each partner that something moved for. */
const EVERY_S = 60;
/** Days in one run at most; what is left waits for the next. */
const DAYS_MAX = 20;

/**
 * Adds up what moved, by day, for what asks about days. Any number of processes may do so at once: one does, the others return.
 *
 * @param graceS what is younger is left
 * @param everyS nothing is done where less than this would be added
 */
export async function addUpDays(
  { db }: { db: Database },
  { graceS = GRACE_S, everyS = EVERY_S }: { graceS?: number; everyS?: number } = {},
): Promise<void> {
  if ((await selectLagS(db)) < graceS + everyS) return;
  for (let days = 0; days < DAYS_MAX; days++) if (!(await db.transaction((tx) => addUpUntil(tx, graceS)))) return;
}
