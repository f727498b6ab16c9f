import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import type { Claim, ClaimDeps } from './claim.ts';
import { stateAt } from './claim-state.ts';
import { findClaimAs } from './find-claim.ts';
import { otherSide, transitionClaim } from './transition-claim.ts';

/**
 * The application that asked takes a pending claim back. The application of the tag's owner gets the event.
 *
 * @throws DomainError CLAIM_NOT_FOUND; NOT_PERMITTED for the owner's application; CLAIM_NOT_PENDING
 */
export async function cancelClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts, isRequester } = await findClaimAs(caller, deps, which);
  if (!isRequester)
    throw new DomainError('NOT_PERMITTED', 'only the application that asked cancels a claim: reject it');
  const change = { id: parts.claim.id, next: 'CANCELLED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) =>
    transitionClaim(tx, deps, change, (row) => {
      throw new DomainError('CLAIM_NOT_PENDING', `this claim is ${stateAt(now, row).toLowerCase()} already`);
    }),
  );
}
