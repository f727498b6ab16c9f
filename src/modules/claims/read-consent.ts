import type { Clock } from '#lib/clock.ts';
import type { Database, Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { consentNotFound, digestOf, stateAt } from './claim.ts';
import type { ClaimState } from './claim-state.ts';
import { type ClaimParts, selectByToken } from './store.ts';

/** A consent request as whoever holds its token may see it: who asks, for what, until when. */
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
  { db, clock }: { db: Database; clock: Clock },
  consentToken: string,
): Promise<ConsentRequest> {
  return toConsentRequest(clock.now(), await findConsent(db, consentToken));
}

/** @throws DomainError CONSENT_EXPIRED */
export function toConsentRequest(now: Date, { claim, tag, ownerApp, requester, claimant }: ClaimParts): ConsentRequest {
  const state = stateAt(now, claim);
  if (state === 'EXPIRED') throw new DomainError('CONSENT_EXPIRED', 'this consent request is over: ask for a new one');
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

/** @throws DomainError CONSENT_NOT_FOUND, also when the tag is closed */
export async function findConsent(db: Executor, consentToken: string): Promise<ClaimParts> {
  const found = await selectByToken(db, digestOf(consentToken));
  if (found === undefined || found.tag.status === 'CLOSED') throw consentNotFound();
  return found;
}
