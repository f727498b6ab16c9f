import type { Tx } from '#lib/database.ts';
import { type Claim, type ClaimDeps, toClaim } from './claim.ts';
import type { ClaimState } from './claim-state.ts';
import { type ClaimParts, moveClaim, selectById } from './store.ts';
import { type ConsentEvent, tell } from './tell.ts';

const events = {
  APPROVED: 'CONSENT_APPROVED',
  REJECTED: 'CONSENT_REJECTED',
  CANCELLED: 'CONSENT_CANCELLED',
  EXPIRED: 'CONSENT_EXPIRED',
  REVOKED: 'CONSENT_REVOKED',
} as const satisfies Record<Exclude<ClaimState, 'PENDING'>, ConsentEvent>;

/**
 * Moves a claim and tells the applications named. Of any number at once, one moves it; for the others `refuse` is given
 * the claim as it is now, and must throw.
 */
export async function move(
  tx: Tx,
  deps: ClaimDeps,
  { id, next, now, told }: { id: string; next: keyof typeof events; now: Date; told: (parts: ClaimParts) => string[] },
  refuse: (claim: ClaimParts['claim']) => void,
): Promise<Claim> {
  const moved = await moveClaim(tx, id, next, now);
  const parts = await selectById(tx, id);
  if (parts === undefined) throw new Error('a claim is never deleted');
  if (!moved) {
    refuse(parts.claim);
    throw new Error(`a claim that is ${parts.claim.state} did not become ${next}`);
  }
  const claim = toClaim(deps, parts);
  await tell(tx, events[next], claim, told(parts));
  return claim;
}
