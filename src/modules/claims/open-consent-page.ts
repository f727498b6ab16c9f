import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type AuthenticationMethods, authenticationMethods, type TagOwner, toTagOwner } from '#modules/owner-proofs';
import { PROOF_ATTEMPTS_MAX } from './answer-in-person.ts';
import { isInUse } from './claim.ts';
import { findConsent } from './find-claim.ts';
import { type ConsentRequest, toConsentRequest } from './read-consent.ts';

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
