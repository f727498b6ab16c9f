import type { Database } from '#lib/postgres/executor.ts';
import { expireOverdue } from './store.ts';

/** Splits in one statement at most: it bounds how long their rows stay locked. */
const BATCH_MAX = 1_000;

/**
 * Marks as expired every split that is past its time and of which nothing is paid. Wherever a split is read it counts as
 * expired even before it is marked.
 *
 * @param closing aborted when no further batch is to be begun
 * @returns how many
 */
export async function expireSplits(db: Database, now: Date, closing?: AbortSignal): Promise<number> {
  let expired = 0;
  for (;;) {
    if (closing?.aborted === true) return expired;
    const batch = await expireOverdue(db, now, BATCH_MAX);
    expired += batch;
    if (batch < BATCH_MAX) return expired;
  }
}
