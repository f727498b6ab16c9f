import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { assertPending, type Claim, type ClaimDeps } from './claim.ts';
import { move } from './move.ts';
import { partyOf } from './party.ts';
import { otherSide } from './tell.ts';

/**
 * Rejects a pending claim: by the application of the tag's owner. The one that asked is told.
 *
 * @throws DomainError CONSENT_NOT_FOUND; NOT_PERMITTED for the application that asked; CONSENT_EXPIRED,
 *   CONSENT_NOT_PENDING
 */
export async function rejectClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  consentToken: string,
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts, isOwner } = await partyOf(deps.db, caller, consentToken);
  if (!isOwner)
    throw new DomainError('NOT_PERMITTED', 'only the side of the tag’s owner rejects a claim: cancel yours');
  const change = { id: parts.claim.id, next: 'REJECTED', now, told: otherSide(caller) } as const;
  return deps.transact((tx) => move(tx, deps, change, (row) => assertPending(now, row)));
}
