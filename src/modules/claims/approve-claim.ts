import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { lockTagStatus } from '#modules/tags';
import { type Attestation, attest } from './attestation.ts';
import { assertActive, assertPending, type ClaimDeps } from './claim.ts';
import { changedClaim } from './claim-route.ts';
import { findConsentAs } from './find-claim.ts';
import { otherSide, transitionClaim } from './transition-claim.ts';
import { lockClaim } from './transition-store.ts';

/**
 * Approves a pending claim, once: by the application of the tag's owner, or by the one that asked after the owner
 * consented in person. The other side gets the event.
 *
 * @throws DomainError CONSENT_NOT_FOUND, also for an application that is neither; CONSENT_EXPIRED, CONSENT_NOT_PENDING,
 *   OWNER_CONSENT_REQUIRED, TAG_SUSPENDED
 */
export async function approveClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  consentToken: string,
): Promise<Attestation> {
  const now = deps.clock.now();
  const { parts, isOwner } = await findConsentAs(caller, deps, consentToken);
  const { id, tagId, ownerConfirmedAt } = parts.claim;
  assertPending(now, parts.claim);
  if (!isOwner && ownerConfirmedAt === null) throw ownerConsentRequired();
  const attestation = await attest(deps, parts); // before the transaction: signing may need a connection of its own
  await deps.transact(async (tx) => {
    const [status, locked] = await Promise.all([lockTagStatus(tx, tagId), lockClaim(tx, id)]); // sent together
    assertActive(status);
    if (!isOwner && locked.ownerConfirmedAt === null) throw ownerConsentRequired(); // taken back meanwhile
    const { routingMac } = changedClaim(deps.keyring, locked, { approvedAt: now });
    const change = { id, next: 'APPROVED', now, routingMac, recipients: otherSide(caller) } as const;
    await transitionClaim(tx, deps, change, (claim) => assertPending(now, claim));
  });
  return attestation;
}

const ownerConsentRequired = () =>
  new DomainError('OWNER_CONSENT_REQUIRED', 'the owner of the tag has not consented yet: send them approvalUrl');
