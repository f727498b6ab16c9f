import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { effectiveStatus } from '#modules/tags';
import type { ClaimState } from './claim-state.ts';
import type { ClaimParts } from './store.ts';

const TOKEN_PURPOSE = 'claim.consent_token';

/** What the operations on claims are given. */
export type ClaimReadDeps = { db: Database; keyring: Keyring; clock: Clock; publicUrl: string };
export type ClaimDeps = ClaimReadDeps & { transact: Transact };

/** A claim as the tag's owner's application and the one that asked see it. */
export interface Claim {
  id: string;
  tagId: string;
  tagString: string;
  subjectId: string;
  subjectExternalId: string;
  requestedByAppId: string;
  requestedByAppName: string;
  state: ClaimState;
  requestedAt: Date;
  approvedAt: Date | undefined;
  revokedAt: Date | undefined;
  /** While PENDING. */
  consentToken: string | undefined;
  approvalUrl: string | undefined;
  tokenExpiresAt: Date;
}

export const digestOf = (consentToken: string): Buffer => sha256(consentToken);
export const sealToken = (keyring: Keyring, consentToken: string): Buffer => keyring.seal(TOKEN_PURPOSE, consentToken);

/** What a claim's state is at this moment: an overdue one is EXPIRED, though nobody marked it yet. */
export const stateAt = (now: Date, { state, tokenExpiresAt }: Pick<ClaimParts['claim'], 'state' | 'tokenExpiresAt'>) =>
  state === 'PENDING' && tokenExpiresAt <= now ? 'EXPIRED' : state;

export function toClaim(
  { keyring, clock, publicUrl }: { keyring: Keyring; clock: { now(): Date }; publicUrl: string },
  { claim, tag, requester, claimant }: ClaimParts,
): Claim {
  const state = stateAt(clock.now(), claim);
  const consentToken =
    state === 'PENDING' && claim.tokenSealed !== null ? keyring.open(TOKEN_PURPOSE, claim.tokenSealed) : undefined;
  return {
    id: claim.id,
    tagId: claim.tagId,
    tagString: tag.handle,
    subjectId: claim.subjectId,
    subjectExternalId: claimant.externalId,
    requestedByAppId: claim.requestedByAppId,
    requestedByAppName: requester.name,
    state,
    requestedAt: claim.requestedAt,
    approvedAt: claim.approvedAt ?? undefined,
    revokedAt: claim.revokedAt ?? undefined,
    consentToken,
    approvalUrl: consentToken && `${publicUrl}/api/v1/consent/${consentToken}`,
    tokenExpiresAt: claim.tokenExpiresAt,
  };
}

export const consentNotFound = () =>
  new DomainError('CONSENT_NOT_FOUND', 'there is no such consent request: ask the application that sent you here');

/** @throws DomainError CONSENT_EXPIRED, CONSENT_NOT_PENDING */
export function assertPending(now: Date, claim: ClaimParts['claim']): void {
  const state = stateAt(now, claim);
  if (state === 'EXPIRED') throw new DomainError('CONSENT_EXPIRED', 'this consent request is over: ask for a new one');
  if (state !== 'PENDING') {
    throw new DomainError('CONSENT_NOT_PENDING', `this consent request is ${state.toLowerCase()} already`);
  }
}

export const tagSuspended = () =>
  new DomainError('TAG_SUSPENDED', 'this tag is suspended: nothing can be agreed on it');

/** Whether the tag of a claim is in use: neither it nor the application of its owner is suspended. */
export const isInUse = ({ tag, ownerApp }: Pick<ClaimParts, 'tag' | 'ownerApp'>): boolean =>
  effectiveStatus(tag.status, ownerApp.status) === 'ACTIVE';

/** @throws DomainError TAG_SUSPENDED */
export function assertActive(status: ClaimParts['tag']['status'] | undefined): void {
  if (status !== 'ACTIVE') throw tagSuspended();
}
