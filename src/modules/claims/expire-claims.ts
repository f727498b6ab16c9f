import type { Tx } from '#lib/database.ts';
import type { ClaimDeps } from './claim.ts';
import { move } from './move.ts';
import { lockOverdue } from './store.ts';
import { bothSides } from './tell.ts';

/** Claims in one transaction at most: it bounds how long their rows stay locked. */
const BATCH_MAX = 200;

/**
 * Marks as expired every claim whose consent token is over, and tells both sides. Those that nobody marked yet count as
 * expired already wherever they are asked for.
 *
 * @returns how many
 */
export async function expireClaims(deps: ClaimDeps): Promise<number> {
  let expired = 0;
  for (;;) {
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

/** Marks a claim that `lockOverdue` found as expired, and tells both sides. */
export async function expireLocked(tx: Tx, deps: ClaimDeps, id: string, now: Date): Promise<void> {
  await move(tx, deps, { id, next: 'EXPIRED', now, told: bothSides }, () => undefined);
}
