import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { assertPending, type Claim, type ClaimDeps } from './claim.ts';
import { findConsentAs } from './find-claim.ts';
import { otherSide, transitionClaim } from './transition-claim.ts';

/**
 * The application of the tag's owner rejects a pending claim. The one that asked gets the event.
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
  const { parts, isOwner } = await findConsentAs(caller, deps, consentToken);
  if (!isOwner)
    throw new DomainError('NOT_PERMITTED', 'only the side of the tag’s owner rejects a claim: cancel yours');
  const change = { id: parts.claim.id, next: 'REJECTED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) => transitionClaim(tx, deps, change, (row) => assertPending(now, row)));
}
