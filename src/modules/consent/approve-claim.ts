import { randomUUID } from 'node:crypto';
import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { sign, type TokenKind, verify } from '#modules/keys';
import { lockTagStatus } from '#modules/tags';
import {
  assertActive,
  assertClaim,
  assertPending,
  type ClaimDeps,
  type ClaimReadDeps,
  changedClaim,
  findClaimAs,
  findConsentAs,
  isInUse,
  otherSide,
  tagSuspended,
  transitionClaim,
} from './claim.ts';
import { type ClaimParts, lockClaim, selectById } from './claim-store.ts';

/** Seconds that an attestation is valid. */
const TTL_S = 24 * 60 * 60;

/** The proof that a tag's owner consented, for the requester. It gives no access. */
export interface Attestation {
  /** ES256 JWT: iss, aud (the requester's id), sub (its subject), tag, tag_id, consent_id, iat, exp, jti. */
  token: string;
  /** Seconds since 1970. */
  expiresAt: number;
  tag: string;
  subjectId: string;
  consentId: string;
}

/** With an audience and a type of its own, so that it is never taken for an access token. */
const attestationKind = (publicUrl: string, requesterId: string): TokenKind => ({
  typ: 'consent-attestation+jwt',
  issuer: publicUrl,
  audience: requesterId,
  lifetimeS: TTL_S,
});

/** Signs an attestation of a claim that is approved, or is about to be. */
async function attest(deps: ClaimReadDeps, { claim, tag }: ClaimParts): Promise<Attestation> {
  const iat = Math.floor(deps.clock.now().getTime() / 1000);
  const exp = iat + TTL_S;
  const token = await sign(deps, attestationKind(deps.publicUrl, claim.requestedByAppId), {
    sub: claim.subjectId,
    tag: tag.handle,
    tag_id: claim.tagId,
    consent_id: claim.id,
    jti: randomUUID(),
    iat,
    exp,
  });
  return { token, expiresAt: exp, tag: tag.handle, subjectId: claim.subjectId, consentId: claim.id };
}

/**
 * A new attestation of an approved claim, for the requester: when its last one has expired, when the answer that held it
 * was lost, or when the owner's application approved.
 *
 * @throws DomainError CLAIM_NOT_FOUND, NOT_PERMITTED, CLAIM_NOT_APPROVED, TAG_SUSPENDED
 */
export async function issueAttestation(
  deps: ClaimReadDeps,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Attestation> {
  const { parts, isRequester } = await findClaimAs(caller, deps, which);
  if (!isRequester) throw new DomainError('NOT_PERMITTED', 'the attestation is for the application that asked');
  if (parts.claim.state !== 'APPROVED') throw new DomainError('CLAIM_NOT_APPROVED', 'this claim is not approved');
  if (!isInUse(parts)) throw tagSuspended();
  return attest(deps, parts);
}

/**
 * The consent that an attestation issued to this application proves, while the claim is approved and the tag in use.
 * Undefined for any other text, an expired one too. @throws AlteredRecord
 */
export async function verifyAttestation(
  deps: ClaimReadDeps,
  { token, requesterId }: { token: string; requesterId: string },
): Promise<{ consentId: string; tagId: string; subjectId: string } | undefined> {
  const claims = await verify(deps, token, attestationKind(deps.publicUrl, requesterId));
  const found = claims && (await selectById(deps.db, String(claims['consent_id'])));
  if (found?.claim.state !== 'APPROVED' || !isInUse(found)) return undefined;
  assertClaim(deps.keyring, found.claim);
  const { id: consentId, tagId, subjectId } = found.claim;
  return { consentId, tagId, subjectId };
}

/**
 * Approves a pending claim, once: by the application of the tag's owner, or by the requester after the owner consented in
 * person. The other side gets the event.
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
