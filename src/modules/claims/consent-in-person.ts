import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import {
  type Answer,
  type AuthenticationMethods,
  authenticationMethods,
  type Challenge,
  sendOwnerCode,
  type TagOwner,
  toTagOwner,
} from '#modules/owner-proofs';
import type { Throttles } from '#modules/throttles';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import { assertPending, isInUse, tagSuspended } from './claim.ts';
import { type ConsentRequest, findConsent, toConsentRequest } from './read-consent.ts';
import type { ClaimParts } from './store.ts';
import { PROOF_ATTEMPTS_MAX } from './take-proof-attempt.ts';

/** A consent request as its page needs it. */
export interface ConsentPage extends ConsentRequest {
  /** Of the application that asks: two can have one name, and a message names it by this alone. */
  requestedByNamespace: string;
  owner: TagOwner;
  /** Nothing can be agreed on the tag for now. */
  isSuspended: boolean;
  ways: AuthenticationMethods;
  /** How often somebody can still try to prove that she is the owner. */
  attemptsLeft: number;
}

export const challengeOf = (parts: ClaimParts): Challenge => ({
  purpose: `consent:${parts.claim.id}`,
  about: `approve or decline that @${parts.tag.handle} stands for a user of ${parts.requester.namespace}`,
  tag: parts.tag.handle,
  owner: toTagOwner(parts),
  requesterId: parts.claim.requestedByAppId,
  expiresAt: parts.claim.tokenExpiresAt,
});

/**
 * What the page of a consent request shows. Reading it changes nothing, however often a link is fetched.
 *
 * @throws DomainError CONSENT_NOT_FOUND; CONSENT_EXPIRED for one that nobody answered in time
 */
export async function openConsentPage(
  deps: { db: Database; keyring: Keyring; clock: Clock },
  consentToken: string,
): Promise<ConsentPage> {
  const found = await findConsent(deps.db, consentToken);
  const owner = toTagOwner(found);
  return {
    ...toConsentRequest(deps.clock.now(), found),
    requestedByNamespace: found.requester.namespace,
    owner,
    isSuspended: !isInUse(found),
    ways: await authenticationMethods(deps, { owner }),
    attemptsLeft: PROOF_ATTEMPTS_MAX - found.claim.proofAttempts,
  };
}

/**
 * Sends the owner of the tag a code to prove herself by on the page.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, TAG_SUSPENDED, and as `sendOwnerCode`
 */
export async function sendConsentCode(
  deps: {
    db: Database;
    keyring: Keyring;
    clock: Clock;
    transact: Transact;
    messaging: MessagingProvider;
    throttles: Throttles;
  },
  consentToken: string,
  channel: Channel,
): Promise<void> {
  const found = await findAnswerable(deps, consentToken, 'decline');
  await sendOwnerCode(deps, challengeOf(found), channel);
}

/**
 * A consent request to which this can be the answer.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, TAG_SUSPENDED
 */
export async function findAnswerable(
  { db, clock }: { db: Database; clock: Clock },
  consentToken: string,
  answer: Answer,
): Promise<ClaimParts> {
  const found = await findConsent(db, consentToken);
  assertPending(clock.now(), found.claim);
  if (answer === 'decline') return found;
  if (!isInUse(found)) throw tagSuspended();
  if (found.claim.ownerConfirmedAt === null) return found;
  throw new DomainError('CONSENT_NOT_PENDING', 'you have approved this consent request already');
}
