import type { Tx } from '#lib/postgres/executor.ts';
import type { ClaimDeps } from './claim.ts';
import { bothSides, transitionClaim } from './transition-claim.ts';
import { lockOverdue } from './transition-store.ts';

/** The most claims in one transaction: it bounds how long their rows stay locked. */
const BATCH_MAX = 200;

/**
 * Marks every claim EXPIRED whose consent token has expired; both sides get the event. One that is not marked yet counts
 * as expired wherever it is read (`stateAt`).
 *
 * @param closing aborted when no further batch is to be begun
 * @returns how many
 */
export async function expireClaims(deps: ClaimDeps, closing?: AbortSignal): Promise<number> {
  let expired = 0;
  for (;;) {
    if (closing?.aborted === true) return expired;
    const now = deps.clock.now();
    const batch = await deps.transact(async (tx) => {
      const overdue = await lockOverdue(tx, { now, limit: BATCH_MAX });
      for (const id of overdue) await expireLocked(tx, deps, id, now);
      return overdue.length;
    });
    expired += batch;
    if (batch < BATCH_MAX) return expired;
  }
}

/** Marks a claim EXPIRED that `lockOverdue` found; both sides get the event. */
export async function expireLocked(tx: Tx, deps: ClaimDeps, id: string, now: Date): Promise<void> {
  await transitionClaim(tx, deps, { id, next: 'EXPIRED', now, recipients: bothSides }, () => undefined);
}
