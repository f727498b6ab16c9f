import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { effectiveStatus } from '#modules/tags';
import { type ClaimState, stateAt } from './claim-state.ts';
import type { ClaimParts, ShownParts } from './claim-store.ts';

const TOKEN = {
  table: 'claims.claim',
  column: 'token_sealed',
  row: ['tag_id', 'subject_id', 'requested_by_app_id', 'requested_at'],
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [TOKEN];

/** What reading claims needs. */
export type ClaimReadDeps = { db: Database; keyring: Keyring; clock: Clock; publicUrl: string };
/** What changing claims needs. */
export type ClaimDeps = ClaimReadDeps & { transact: Transact };

/** A claim as the application of the tag's owner and the one that asked see it. */
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
  /** While PENDING. */
  approvalUrl: string | undefined;
  tokenExpiresAt: Date;
}

/** A consent token as it is stored, to be shown again while the claim is PENDING. */
export const sealToken = (keyring: Keyring, claim: ClaimName, consentToken: string): Buffer =>
  keyring.seal(TOKEN, rowOf(claim), consentToken);

/** Which claim, before it has an id. */
type ClaimName = Pick<ShownParts['claim'], 'tagId' | 'subjectId' | 'requestedByAppId' | 'requestedAt'>;

const rowOf = ({ tagId, subjectId, requestedByAppId, requestedAt }: ClaimName) => [
  tagId,
  subjectId,
  requestedByAppId,
  requestedAt,
];

/** By what was read of a claim, which those who ask at the same moment share; forgotten with it. */
const opened = new WeakMap<Buffer, string>();

function openToken(keyring: Keyring, claim: ClaimName, sealed: Buffer): string {
  let token = opened.get(sealed);
  if (token === undefined) opened.set(sealed, (token = keyring.open(TOKEN, rowOf(claim), sealed)));
  return token;
}

/** A stored claim as of now. Only while it is PENDING are its consent token decrypted and its approval URL built. */
export function toClaim(
  { keyring, clock, publicUrl }: Omit<ClaimReadDeps, 'db'>,
  { claim, tag, requester, claimant }: ShownParts,
): Claim {
  const state = stateAt(clock.now(), claim);
  const consentToken =
    state === 'PENDING' && claim.tokenSealed !== null ? openToken(keyring, claim, claim.tokenSealed) : undefined;
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

/** The error of a claim that nobody answered in time. */
export const consentExpired = () =>
  new DomainError('CONSENT_EXPIRED', 'this consent request has expired: ask for a new one');

/** @throws DomainError CONSENT_EXPIRED, CONSENT_NOT_PENDING */
export function assertPending(now: Date, claim: ClaimParts['claim']): void {
  const state = stateAt(now, claim);
  if (state === 'EXPIRED') throw consentExpired();
  if (state !== 'PENDING') {
    throw new DomainError('CONSENT_NOT_PENDING', `this consent request is ${state.toLowerCase()} already`);
  }
}

/** The error of a claim whose tag, or the application of its owner, is suspended. */
export const tagSuspended = () =>
  new DomainError('TAG_SUSPENDED', 'this tag, or who asks for it, is suspended: nothing can be agreed on it');

/** Whether a claim can be agreed on: neither its tag, nor the application of its owner, nor the one that asks is suspended. */
export const isInUse = ({ tag, ownerApp, requester }: Pick<ClaimParts, 'tag' | 'ownerApp' | 'requester'>): boolean =>
  effectiveStatus(tag.status, ownerApp.status) === 'ACTIVE' && requester.status === 'ACTIVE';

/** @throws DomainError TAG_SUSPENDED */
export function assertActive(status: ClaimParts['tag']['status'] | undefined): void {
  if (status !== 'ACTIVE') throw tagSuspended();
}
