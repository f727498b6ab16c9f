import { type Clock, secondsUntil } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { alteredIn } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { lockTagStatus } from '#modules/tags';
import type { Channel } from '../../providers/messaging/port.ts';
import {
  assertActive,
  assertClaim,
  assertPending,
  bothSides,
  type ClaimDeps,
  changedClaim,
  consentExpired,
  findConsent,
  isInUse,
  publishClaim,
  tagSuspended,
  toClaim,
  transitionClaim,
} from './claim.ts';
import {
  type ClaimParts,
  type ClaimRow,
  countAttempt,
  forgetConfirmation,
  lockConfirmed,
  NOT_CONFIRMED,
  recordConfirmation,
  selectById,
} from './claim-store.ts';
import { consentPurpose } from './owner-code-store.ts';
import {
  type Answer,
  type AuthenticationMethods,
  authenticationMethods,
  type Challenge,
  type Proof,
  type ProveDeps,
  proveOwner,
  type SendDeps,
  sendOwnerCode,
  type TagOwner,
  toTagOwner,
} from './prove-owner.ts';
import { type ClaimState, claimStateAt } from './states.ts';

type ReadDeps = { db: Database; keyring: Keyring; clock: Clock };

/** Attempts to prove the owner, for one consent request. */
const PROOF_ATTEMPTS_MAX = 5;

/** A consent request as anybody with its token may see it: requester, purpose and expiry. */
export interface ConsentRequest {
  consentId: string;
  tagString: string;
  qualifiedAddress: string;
  requestedByAppId: string;
  requestedByAppName: string;
  requestedByAppImageUrl: string | undefined;
  /** The name that the requester gives its subject. */
  subjectDisplayName: string | undefined;
  state: ClaimState;
  ownerConfirmedAt: Date | undefined;
  requestedAt: Date;
  tokenExpiresAt: Date;
}

/** A consent request as its page needs it. */
export interface ConsentPage extends ConsentRequest {
  /** The requester's: two applications can have one name, and only this tells them apart. */
  requestedByNamespace: string;
  owner: TagOwner;
  /** Nothing can be agreed on the tag for now. */
  isSuspended: boolean;
  authenticationMethods: AuthenticationMethods;
  /** Attempts to prove the owner that are left. */
  attemptsLeft: number;
  /** Where the page leads the owner back to, while the requester is active. */
  returnUrl: string | undefined;
}

/**
 * What a consent token stands for. Reading it changes nothing, however often a link is fetched.
 *
 * @throws DomainError CONSENT_NOT_FOUND; CONSENT_EXPIRED for one that was not answered in time
 */
export async function readConsent(deps: ReadDeps, consentToken: string): Promise<ConsentRequest> {
  return toConsentRequest(deps.clock.now(), await findConsent(deps, consentToken));
}

/** What the page of a consent request shows; otherwise as `readConsent`. */
export async function openConsentPage(deps: ReadDeps, consentToken: string): Promise<ConsentPage> {
  const found = await findConsent(deps, consentToken);
  const owner = toTagOwner(found);
  return {
    ...toConsentRequest(deps.clock.now(), found),
    requestedByNamespace: found.requester.namespace,
    owner,
    isSuspended: !isInUse(found),
    authenticationMethods: await authenticationMethods(deps, owner),
    attemptsLeft: PROOF_ATTEMPTS_MAX - found.claim.proofAttempts,
    returnUrl: found.requester.status === 'ACTIVE' ? (found.claim.returnUrl ?? undefined) : undefined,
  };
}

function toConsentRequest(now: Date, { claim, tag, ownerApp, requester, claimant }: ClaimParts): ConsentRequest {
  const state = claimStateAt(now, claim);
  if (state === 'EXPIRED') throw consentExpired();
  return {
    consentId: claim.id,
    tagString: tag.handle,
    qualifiedAddress: `${tag.handle}@${ownerApp.namespace}`,
    requestedByAppId: claim.requestedByAppId,
    requestedByAppName: requester.name,
    requestedByAppImageUrl: requester.imageUrl ?? undefined,
    subjectDisplayName: claimant.displayName ?? undefined,
    state,
    ownerConfirmedAt: claim.ownerConfirmedAt ?? undefined,
    requestedAt: claim.requestedAt,
    tokenExpiresAt: claim.tokenExpiresAt,
  };
}

/**
 * Sends the owner of the tag a code to prove themselves with on the page.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, and those of `sendOwnerCode`
 */
export async function sendConsentCode(deps: SendDeps, consentToken: string, channel: Channel): Promise<void> {
  await sendOwnerCode(deps, challengeOf(await findAnswerable(deps, consentToken, 'decline')), channel);
}

/**
 * The owner of a tag proves who they are, and approves or declines a consent request. They may decline what they
 * approved, until the requester has fetched the approval. Approving twice is refused.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED, TAG_SUSPENDED,
 *   INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function answerInPerson(
  deps: ClaimDeps & ProveDeps,
  consentToken: string,
  { answer, proof }: { answer: Answer; proof: Proof },
): Promise<void> {
  const found = await findAnswerable(deps, consentToken, answer);
  const provenBy = await proveOwner(deps, challengeOf(found), proof, () => takeProofAttempt(deps, found.claim));
  if (answer === 'approve') await confirmConsent(deps, found.claim, provenBy);
  else await declineConsent(deps, found.claim);
}

/**
 * A consent request that can get this answer.
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

const challengeOf = (parts: ClaimParts): Challenge => ({
  purpose: consentPurpose(parts.claim.id),
  about: `approve or decline that @${parts.tag.handle} stands for a user of ${parts.requester.namespace}`,
  tag: parts.tag.handle,
  owner: toTagOwner(parts),
  requesterId: parts.claim.requestedByAppId,
  expiresAt: parts.claim.tokenExpiresAt,
});

/**
 * Counts an attempt to prove the tag's owner, before the proof is checked: of any number at the same time five are checked.
 *
 * @throws DomainError CONSENT_ATTEMPTS_EXCEEDED
 */
export async function takeProofAttempt({ db, clock }: ReadDeps, claim: ClaimRow): Promise<void> {
  if (await countAttempt(db, claim.id, PROOF_ATTEMPTS_MAX)) return;
  throw new DomainError(
    'CONSENT_ATTEMPTS_EXCEEDED',
    'too many attempts on this consent request: the application can cancel it and ask again',
    { retryAfterS: secondsUntil(claim.tokenExpiresAt, clock.now()) },
  );
}

/**
 * Records that the tag's owner, who has proved who they are, consented in person. The requester gets CONSENT_CONFIRMED, once,
 * and may now approve: the claim is PENDING until it does.
 *
 * @throws DomainError CONSENT_EXPIRED, CONSENT_NOT_PENDING, TAG_SUSPENDED
 */
export async function confirmConsent(
  deps: ClaimDeps,
  claim: ClaimRow,
  provenBy: NonNullable<ClaimRow['ownerConfirmedBy']>,
): Promise<void> {
  const now = deps.clock.now();
  const { id, tagId } = claim;
  const change = { ownerConfirmedAt: now, ownerConfirmedBy: provenBy };
  const confirmation = changedClaim(deps.keyring, claim, change);
  await deps.transact(async (tx) => {
    assertActive(await lockTagStatus(tx, tagId));
    const isRecorded = await recordConfirmation(tx, id, confirmation, now);
    const parts = await selectById(tx, id);
    if (parts === undefined) throw new Error('a claim is never deleted');
    assertPending(now, parts.claim);
    if (isRecorded) await publishClaim(tx, 'CONSENT_CONFIRMED', toClaim(deps, parts), [parts.claim.requestedByAppId]);
  });
}

/**
 * The tag's owner, who has proved who they are, refuses in person. The claim is REJECTED; both applications get the event.
 *
 * @throws DomainError CONSENT_EXPIRED, CONSENT_NOT_PENDING
 */
export async function declineConsent(deps: ClaimDeps, { id }: Pick<ClaimRow, 'id'>): Promise<void> {
  const now = deps.clock.now();
  const change = { id, next: 'REJECTED', now, recipients: bothSides } as const;
  await deps.transact((tx) => transitionClaim(tx, deps, change, (row) => assertPending(now, row)));
}

/**
 * Forgets the confirmations in person of pending claims on a tag: a thief of the account may have given them. The owner can
 * confirm again.
 */
export async function forgetConfirmations(tx: Tx, keyring: Keyring, tagId: string, now: Date): Promise<void> {
  for (const row of await lockConfirmed(tx, { tagId })) {
    // An altered row keeps its wrong MAC.
    const isAltered = alteredIn(() => assertClaim(keyring, row)) !== undefined;
    const { routingMac } = isAltered ? row : changedClaim(keyring, row, NOT_CONFIRMED);
    await forgetConfirmation(tx, { id: row.id, routingMac, now });
  }
}
