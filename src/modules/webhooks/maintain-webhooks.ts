import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { releaseHeld } from './release-held.ts';

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
