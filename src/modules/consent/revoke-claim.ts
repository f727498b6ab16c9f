import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import type { Claim, ClaimDeps } from './claim.ts';
import { stateAt } from './claim-state.ts';
import { findClaimAs } from './find-claim.ts';
import { otherSide, transitionClaim } from './transition-claim.ts';

/**
 * Either side ends an approved claim, for good. The other side gets the event. Attestations of it still verify offline
 * until they expire, but nowhere here.
 *
 * @throws DomainError CLAIM_NOT_FOUND, CLAIM_NOT_APPROVED
 */
export async function revokeClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts } = await findClaimAs(caller, deps, which);
  const change = { id: parts.claim.id, next: 'REVOKED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) =>
    transitionClaim(tx, deps, change, (row) => {
      throw new DomainError('CLAIM_NOT_APPROVED', `this claim is ${stateAt(now, row).toLowerCase()}, not approved`);
    }),
  );
}
