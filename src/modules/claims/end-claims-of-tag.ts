import type { Tx } from '#lib/database.ts';
import type { ClaimDeps } from './claim.ts';
import { move } from './move.ts';
import { lockOpenOfTag } from './store.ts';
import { bothSides } from './tell.ts';

/**
 * Ends what is open on a tag that is closed: what waits for consent is rejected, what has it is revoked, and both sides
 * are told. The caller has locked the tag, so that nothing new is agreed meanwhile.
 */
export async function endClaimsOfTag(tx: Tx, deps: ClaimDeps, tagId: string): Promise<void> {
  const now = deps.clock.now();
  for (const { id, state, tokenExpiresAt } of await lockOpenOfTag(tx, tagId)) {
    const overdue = tokenExpiresAt <= now ? ('EXPIRED' as const) : ('REJECTED' as const);
    const next = state === 'APPROVED' ? ('REVOKED' as const) : overdue;
    await move(tx, deps, { id, next, now, told: bothSides }, () => undefined);
  }
}
