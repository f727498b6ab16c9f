import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { PROOF_ATTEMPTS_MAX } from './answer-in-person.ts';
import { type AuthenticationMethods, authenticationMethods, type TagOwner, toTagOwner } from './challenge.ts';
import { consentExpired, isInUse } from './claim.ts';
import { type ClaimState, stateAt } from './claim-state.ts';
import type { ClaimParts } from './claim-store.ts';
import { findConsent } from './find-claim.ts';

/** A consent request as anybody with its token may see it: who asks, for what, until when. */
export interface ConsentRequest {
  consentId: string;
  tagString: string;
  qualifiedAddress: string;
  requestedByAppId: string;
  requestedByAppName: string;
  requestedByAppImageUrl: string | undefined;
  /** For whom: the name that the asking application gives its subject. */
  subjectDisplayName: string | undefined;
  state: ClaimState;
  ownerConfirmedAt: Date | undefined;
  requestedAt: Date;
  tokenExpiresAt: Date;
}

/**
 * What a consent token stands for. Reading it changes nothing, however often a link is fetched.
 *
 * @throws DomainError CONSENT_NOT_FOUND; CONSENT_EXPIRED for one that nobody answered in time
 */
export async function readConsent(
  deps: { db: Database; keyring: Keyring; clock: Clock },
  consentToken: string,
): Promise<ConsentRequest> {
  return toConsentRequest(deps.clock.now(), await findConsent(deps, consentToken));
}

/** @throws DomainError CONSENT_EXPIRED */
function toConsentRequest(now: Date, { claim, tag, ownerApp, requester, claimant }: ClaimParts): ConsentRequest {
  const state = stateAt(now, claim);
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

/** A consent request as its page needs it. */
export interface ConsentPage extends ConsentRequest {
  /** Of the application that asks: two can have one name, and only this tells them apart. */
  requestedByNamespace: string;
  owner: TagOwner;
  /** Nothing can be agreed on the tag for now. */
  isSuspended: boolean;
  authenticationMethods: AuthenticationMethods;
  /** How many attempts to prove that one is the owner are left. */
  attemptsLeft: number;
  /** Where the application wants the owner led back to, while it is active. */
  returnUrl: string | undefined;
}

/**
 * What the page of a consent request shows. Reading it changes nothing, however often a link is fetched.
 *
 * @throws DomainError CONSENT_NOT_FOUND; CONSENT_EXPIRED for one that nobody answered in time
 */
export async function openConsentPage(
  deps: { db: Database; keyring: Keyring; clock: Clock },
  consentToken: string,
): Promise<ConsentPage> {
  const found = await findConsent(deps, consentToken);
  const owner = toTagOwner(found);
  return {
    ...toConsentRequest(deps.clock.now(), found),
    requestedByNamespace: found.requester.namespace,
    owner,
    isSuspended: !isInUse(found),
    authenticationMethods: await authenticationMethods(deps, { owner }),
    attemptsLeft: PROOF_ATTEMPTS_MAX - found.claim.proofAttempts,
    returnUrl: found.requester.status === 'ACTIVE' ? (found.claim.returnUrl ?? undefined) : undefined,
  };
}
