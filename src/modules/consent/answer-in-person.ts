import { type Clock, secondsUntil } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { lockTagStatus } from '#modules/tags';
import { type Answer, type Challenge, toTagOwner } from './challenge.ts';
import { assertActive, assertPending, type ClaimDeps, isInUse, tagSuspended, toClaim } from './claim.ts';
import { changedClaim } from './claim-route.ts';
import { type ClaimParts, type ClaimRow, selectById } from './claim-store.ts';
import { findConsent } from './find-claim.ts';
import { type Proof, proveOwner } from './prove-owner.ts';
import { bothSides, publish, transitionClaim } from './transition-claim.ts';
import { countAttempt, recordConfirmation } from './transition-store.ts';

type ReadDeps = { db: Database; keyring: Keyring; clock: Clock };

/** How often anybody may try to prove that they are the owner, for one consent request. */
export const PROOF_ATTEMPTS_MAX = 5;

/**
 * The owner of a tag proves who they are, and approves or declines a consent request. They may decline what they
 * approved, until the application has fetched the approval. The same answer given again is refused.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED, TAG_SUSPENDED,
 *   INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function answerInPerson(
  deps: ClaimDeps & Parameters<typeof proveOwner>[0],
  consentToken: string,
  { answer, proof }: { answer: Answer; proof: Proof },
): Promise<void> {
  const found = await findAnswerable(deps, consentToken, answer);
  const provenBy = await proveOwner(deps, challengeOf(found), proof, () => takeProofAttempt(deps, consentToken));
  if (answer === 'approve') await confirmConsent(deps, consentToken, provenBy);
  else await declineConsent(deps, consentToken);
}

/**
 * A consent request that can be answered so.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, TAG_SUSPENDED
 */
export async function findAnswerable(deps: ReadDeps, consentToken: string, answer: Answer): Promise<ClaimParts> {
  const found = await findConsent(deps, consentToken);
  assertPending(deps.clock.now(), found.claim);
  if (answer === 'decline') return found;
  if (!isInUse(found)) throw tagSuspended();
  if (found.claim.ownerConfirmedAt === null) return found;
  throw new DomainError('CONSENT_NOT_PENDING', 'you have approved this consent request already');
}

/** What the code that proves the owner for a claim is for. */
export const consentPurpose = (claimId: string): string => `consent:${claimId}`;

/** What the owner is asked to prove themselves for. */
export const challengeOf = (parts: ClaimParts): Challenge => ({
  purpose: consentPurpose(parts.claim.id),
  about: `approve or decline that @${parts.tag.handle} stands for a user of ${parts.requester.namespace}`,
  tag: parts.tag.handle,
  owner: toTagOwner(parts),
  requesterId: parts.claim.requestedByAppId,
  expiresAt: parts.claim.tokenExpiresAt,
});

/**
 * Counts an attempt to prove that one is the tag's owner. Called before the proof is checked, so that of any number at
 * once no more than five are.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED
 */
export async function takeProofAttempt(deps: ReadDeps, consentToken: string): Promise<void> {
  const now = deps.clock.now();
  const { claim } = await findConsent(deps, consentToken);
  assertPending(now, claim);
  if (await countAttempt(deps.db, claim.id, PROOF_ATTEMPTS_MAX)) return;
  throw new DomainError(
    'CONSENT_ATTEMPTS_EXCEEDED',
    'too many attempts on this consent request: the application can cancel it and ask again',
    { retryAfterS: secondsUntil(claim.tokenExpiresAt, now) },
  );
}

/**
 * Records that the tag's owner consented in person, once they have proved who they are. The application that asked gets
 * CONSENT_CONFIRMED, once, and may now approve: the claim is PENDING until it does.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, TAG_SUSPENDED
 */
export async function confirmConsent(
  deps: ClaimDeps,
  consentToken: string,
  provenBy: NonNullable<ClaimRow['ownerConfirmedBy']>,
): Promise<void> {
  const now = deps.clock.now();
  const { claim } = await findConsent(deps, consentToken);
  const confirmation = changedClaim(deps.keyring, claim, { ownerConfirmedAt: now, ownerConfirmedBy: provenBy });
  await deps.transact(async (tx) => {
    assertActive(await lockTagStatus(tx, claim.tagId));
    const isRecorded = await recordConfirmation(tx, claim.id, confirmation, now);
    const parts = await selectById(tx, claim.id);
    if (parts === undefined) throw new Error('a claim is never deleted');
    assertPending(now, parts.claim);
    if (isRecorded) await publish(tx, 'CONSENT_CONFIRMED', toClaim(deps, parts), [parts.claim.requestedByAppId]);
  });
}

/**
 * The tag's owner refuses in person, once they have proved who they are. The claim is REJECTED; both applications get
 * the event.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING
 */
export async function declineConsent(deps: ClaimDeps, consentToken: string): Promise<void> {
  const now = deps.clock.now();
  const { claim } = await findConsent(deps, consentToken);
  const change = { id: claim.id, next: 'REJECTED', now, recipients: bothSides } as const;
  await deps.transact((tx) => transitionClaim(tx, deps, change, (row) => assertPending(now, row)));
}
