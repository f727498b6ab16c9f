import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { findTag } from '#modules/tags';
import { consentNotFound, digestOf } from './claim.ts';
import { type ClaimParts, selectById, selectByToken } from './store.ts';

/** A claim and the side an application is on; both sides may be one. */
export interface Party {
  parts: ClaimParts;
  /** It is the application of the tag's owner. */
  isOwner: boolean;
  /** It asked for the claim. */
  isRequester: boolean;
}

/** @throws DomainError CONSENT_NOT_FOUND, also for an application that is on neither side and for a closed tag */
export async function partyOf(db: Executor, caller: AuthenticatedApplication, consentToken: string): Promise<Party> {
  const parts = await selectByToken(db, digestOf(consentToken));
  const party = parts && sideOf(parts, caller);
  if (party === undefined) throw consentNotFound();
  return party;
}

/** @throws DomainError CLAIM_NOT_FOUND, also for a claim on another tag and for an application that is on neither side */
export async function partyOfClaim(
  db: Executor,
  caller: AuthenticatedApplication,
  { address, claimId }: { address: string; claimId: string },
): Promise<Party> {
  const found = await findTag(db, address);
  const parts = found && (await selectById(db, claimId));
  const party = parts && parts.claim.tagId === found.tag.id ? sideOf(parts, caller) : undefined;
  if (party === undefined) throw new DomainError('CLAIM_NOT_FOUND', 'there is no such claim on this tag');
  return party;
}

function sideOf(parts: ClaimParts, { id }: AuthenticatedApplication): Party | undefined {
  const isOwner = parts.ownerApp.id === id;
  const isRequester = parts.claim.requestedByAppId === id;
  return (isOwner || isRequester) && parts.tag.status !== 'CLOSED' ? { parts, isOwner, isRequester } : undefined;
}
