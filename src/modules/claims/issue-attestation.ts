import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { type Attestation, attest } from './attestation.ts';
import { type ClaimDeps, isInUse, tagSuspended } from './claim.ts';
import { partyOfClaim } from './party.ts';

/**
 * A fresh attestation of an approved claim, for the application that asked: when its last one is over, when the answer
 * that held it was lost, and when it was the owner's application that approved.
 *
 * @throws DomainError CLAIM_NOT_FOUND, NOT_PERMITTED, CLAIM_NOT_APPROVED, TAG_SUSPENDED
 */
export async function issueAttestation(
  deps: Pick<ClaimDeps, 'db' | 'keyring' | 'clock' | 'publicUrl'>,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Attestation> {
  const { parts, isRequester } = await partyOfClaim(deps.db, caller, which);
  if (!isRequester) throw new DomainError('NOT_PERMITTED', 'the attestation is for the application that asked');
  if (parts.claim.state !== 'APPROVED') throw new DomainError('CLAIM_NOT_APPROVED', 'this claim is not approved');
  if (!isInUse(parts)) throw tagSuspended();
  return attest(deps, parts);
}
