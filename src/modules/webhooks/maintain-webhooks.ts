import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { releaseHeld } from './release-held.ts';

/** Deliveries of one receiver in one transaction. */
const RELEASED_MAX = 500;
/** In one run at most, so that closing need not wait; what is left waits for the next. */
const BATCHES_MAX = 40;

/** Makes held deliveries due for receivers that can be sent to again. Any number of processes may do so at once. */
export async function maintainWebhooks(deps: { db: Database; transact: Transact }): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await releaseHeld(deps, RELEASED_MAX)) === 0) return;
}
