import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { type Claim, type ClaimDeps, stateAt } from './claim.ts';
import { move } from './move.ts';
import { partyOfClaim } from './party.ts';
import { otherSide } from './tell.ts';

/**
 * Ends an approved claim, for good: by either side. The other side is told. Attestations of it still verify offline until
 * they are over, and nowhere here.
 *
 * @throws DomainError CLAIM_NOT_FOUND, CLAIM_NOT_APPROVED
 */
export async function revokeClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts } = await partyOfClaim(deps.db, caller, which);
  const change = { id: parts.claim.id, next: 'REVOKED', now, told: otherSide(caller) } as const;
  return deps.transact((tx) =>
    move(tx, deps, change, (row) => {
      throw new DomainError('CLAIM_NOT_APPROVED', `this claim is ${stateAt(now, row).toLowerCase()}, not approved`);
    }),
  );
}
