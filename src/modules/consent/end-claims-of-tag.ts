import type { Tx } from '#lib/postgres/executor.ts';
import type { ClaimReadDeps } from './claim.ts';
import { lockOpenOfTag } from './claim-store.ts';
import { bothSides, transitionClaim } from './transition-claim.ts';

/**
 * Ends the claims on a tag that is being closed: a pending one is rejected, an approved one revoked, and both sides get
 * the event. The caller has locked the tag, so that nothing new is agreed meanwhile.
 */
export async function endClaimsOfTag(tx: Tx, deps: Omit<ClaimReadDeps, 'db'>, tagId: string): Promise<void> {
  const now = deps.clock.now();
  for (const { id, state, tokenExpiresAt } of await lockOpenOfTag(tx, tagId)) {
    const unanswered = tokenExpiresAt <= now ? 'EXPIRED' : 'REJECTED';
    const next = state === 'APPROVED' ? 'REVOKED' : unanswered;
    await transitionClaim(tx, deps, { id, next, now, recipients: bothSides }, () => undefined);
  }
}
