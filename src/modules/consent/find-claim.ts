import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { findTag } from '#modules/tags';
import { assertClaim } from './claim-route.ts';
import { type ClaimParts, selectById, selectByToken } from './claim-store.ts';

type Deps = { db: Executor; keyring: Keyring };

/** A claim as one of its two applications found it. */
export interface FoundClaim {
  parts: ClaimParts;
  /** The caller is the application of the tag's owner. It may be both. */
  isOwner: boolean;
  /** The caller asked for the claim. */
  isRequester: boolean;
}

/** What a claim is found by from its consent token. */
export const digestOf = (consentToken: string): Buffer => sha256(consentToken);

/** The claim of a consent token. @throws DomainError CONSENT_NOT_FOUND, also when the tag is closed; AlteredRecord */
export async function findConsent({ db, keyring }: Deps, consentToken: string): Promise<ClaimParts> {
  const found = await selectByToken(db, digestOf(consentToken));
  if (found === undefined || found.tag.status === 'CLOSED') throw consentNotFound();
  assertClaim(keyring, found.claim);
  return found;
}

/** The same for one of its applications. @throws DomainError CONSENT_NOT_FOUND, also for any other application */
export async function findConsentAs(
  caller: AuthenticatedApplication,
  deps: Deps,
  consentToken: string,
): Promise<FoundClaim> {
  const found = foundBy(caller, await findConsent(deps, consentToken));
  if (found === undefined) throw consentNotFound();
  return found;
}

/**
 * The claim with this id on the tag of an address, for one of its applications.
 *
 * @throws DomainError CLAIM_NOT_FOUND, also for a claim on another tag and for any other application
 */
export async function findClaimAs(
  caller: AuthenticatedApplication,
  { db, keyring }: Deps,
  { address, claimId }: { address: string; claimId: string },
): Promise<FoundClaim> {
  const [tagged, parts] = await Promise.all([findTag(db, keyring, address), selectById(db, claimId)]);
  const found = parts && parts.claim.tagId === tagged?.tag.id ? foundBy(caller, parts) : undefined;
  if (found === undefined) throw new DomainError('CLAIM_NOT_FOUND', 'there is no such claim on this tag');
  assertClaim(keyring, found.parts.claim);
  return found;
}

function foundBy({ id }: AuthenticatedApplication, parts: ClaimParts): FoundClaim | undefined {
  const isOwner = parts.ownerApp.id === id;
  const isRequester = parts.claim.requestedByAppId === id;
  return isOwner || isRequester ? { parts, isOwner, isRequester } : undefined;
}

const consentNotFound = () =>
  new DomainError('CONSENT_NOT_FOUND', 'there is no such consent request: ask the application that sent you here');
