import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { type Claim, type ClaimDeps, stateAt } from './claim.ts';
import { move } from './move.ts';
import { partyOfClaim } from './party.ts';
import { otherSide } from './tell.ts';

/**
 * Takes a pending claim back: by the application that asked. The application of the tag's owner is told.
 *
 * @throws DomainError CLAIM_NOT_FOUND; NOT_PERMITTED for the owner's application; CLAIM_NOT_PENDING
 */
export async function cancelClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts, isRequester } = await partyOfClaim(deps.db, caller, which);
  if (!isRequester)
    throw new DomainError('NOT_PERMITTED', 'only the application that asked cancels a claim: reject it');
  const change = { id: parts.claim.id, next: 'CANCELLED', now, told: otherSide(caller) } as const;
  return deps.transact((tx) =>
    move(tx, deps, change, (row) => {
      throw new DomainError('CLAIM_NOT_PENDING', `this claim is ${stateAt(now, row).toLowerCase()} already`);
    }),
  );
}
