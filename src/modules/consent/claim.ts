import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type FactsOf, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { emit } from '#modules/outbox';
import { effectiveStatus, findTag } from '#modules/tags';
import {
  type ClaimParts,
  type ClaimRow,
  type ShownParts,
  selectById,
  selectByToken,
  updateState,
} from './claim-store.ts';
import { type ClaimState, claimStateAt } from './states.ts';

/** What reading claims needs. */
export type ClaimReadDeps = { db: Database; keyring: Keyring; clock: Clock; publicUrl: string };
/** What changing claims needs. */
export type ClaimDeps = ClaimReadDeps & { transact: Transact };

/** A claim as the application of the tag's owner and the requester see it. */
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

/** A stored claim as of now. Its consent token is decrypted only while it is PENDING. */
export function toClaim(
  { keyring, clock, publicUrl }: Omit<ClaimReadDeps, 'db'>,
  { claim, tag, requester, claimant }: ShownParts,
): Claim {
  const state = claimStateAt(clock.now(), claim);
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

/** A claim as one of its two applications found it. */
export interface FoundClaim {
  parts: ClaimParts;
  /** The caller is the application of the tag's owner. It may be both. */
  isOwner: boolean;
  /** The caller asked for the claim. */
  isRequester: boolean;
}

type FindDeps = { db: Executor; keyring: Keyring };

/** The claim of a consent token. @throws DomainError CONSENT_NOT_FOUND, also when the tag is closed; AlteredRecord */
export async function findConsent({ db, keyring }: FindDeps, consentToken: string): Promise<ClaimParts> {
  const found = await selectByToken(db, digestOf(consentToken));
  if (found === undefined || found.tag.status === 'CLOSED') throw consentNotFound();
  assertClaim(keyring, found.claim);
  return found;
}

/** The same for one of its applications. @throws DomainError CONSENT_NOT_FOUND, also for any other application */
export async function findConsentAs(
  caller: AuthenticatedApplication,
  deps: FindDeps,
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
  { db, keyring }: FindDeps,
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

/** The refusal of a claim that was not answered in time. */
export const consentExpired = () =>
  new DomainError('CONSENT_EXPIRED', 'this consent request has expired: ask for a new one');

/** @throws DomainError CONSENT_EXPIRED, CONSENT_NOT_PENDING */
export function assertPending(now: Date, claim: ClaimRow): void {
  const state = claimStateAt(now, claim);
  if (state === 'EXPIRED') throw consentExpired();
  if (state !== 'PENDING') {
    throw new DomainError('CONSENT_NOT_PENDING', `this consent request is ${state.toLowerCase()} already`);
  }
}

/** Whether a claim can be agreed on: neither its tag, nor the application of its owner, nor the requester is suspended. */
export const isInUse = ({ tag, ownerApp, requester }: Pick<ClaimParts, 'tag' | 'ownerApp' | 'requester'>): boolean =>
  effectiveStatus(tag.status, ownerApp.status) === 'ACTIVE' && requester.status === 'ACTIVE';

/** The refusal of a claim that is not in use. */
export const tagSuspended = () =>
  new DomainError('TAG_SUSPENDED', 'this tag or its requester is suspended: nothing can be agreed on it');

/** @throws DomainError TAG_SUSPENDED */
export function assertActive(status: ClaimParts['tag']['status'] | undefined): void {
  if (status !== 'ACTIVE') throw tagSuspended();
}

const events = {
  APPROVED: 'CONSENT_APPROVED',
  REJECTED: 'CONSENT_REJECTED',
  CANCELLED: 'CONSENT_CANCELLED',
  EXPIRED: 'CONSENT_EXPIRED',
  REVOKED: 'CONSENT_REVOKED',
} as const satisfies Record<Exclude<ClaimState, 'PENDING'>, string>;

interface Transition {
  id: string;
  next: keyof typeof events;
  now: Date;
  /** For APPROVED only. */
  routingMac?: Buffer;
  /** The ids of the applications that get the event. */
  recipients: (parts: ClaimParts) => string[];
}

/**
 * Gives a claim a state and publishes it. Of several transactions at the same time one does; for the others `refuse` gets the
 * claim as it is now, and must throw.
 */
export async function transitionClaim(
  tx: Tx,
  deps: Omit<ClaimReadDeps, 'db'>,
  { id, next, now, routingMac, recipients }: Transition,
  refuse: (claim: ClaimRow) => void,
): Promise<Claim> {
  const [isDone, parts] = await Promise.all([updateState(tx, { id, next, now, routingMac }), selectById(tx, id)]);
  if (parts === undefined) throw new Error('a claim is never deleted');
  if (!isDone) {
    refuse(parts.claim);
    throw new Error(`a claim that is ${parts.claim.state} did not become ${next}`);
  }
  const claim = toClaim(deps, parts);
  await publishClaim(tx, events[next], claim, recipients(parts));
  return claim;
}

/** Publishes an event of a claim. Its data has all members of a Claim: an empty text for one without a value, no member for a date without one. */
export async function publishClaim(
  tx: Tx,
  event: 'CONSENT_REQUESTED' | 'CONSENT_CONFIRMED' | (typeof events)[keyof typeof events],
  claim: Claim,
  recipients: string[],
): Promise<void> {
  const { consentToken = '', approvalUrl = '' } = claim;
  await publish(tx, { event, reference: claim.id, data: { ...claim, consentToken, approvalUrl } }, recipients);
}

/** Writes an event of a claim or link to the outbox, once for each application, in the transaction of the change. */
export async function publish(
  tx: Tx,
  { event, reference, data }: { event: string; reference: string; data: object },
  recipients: string[],
): Promise<void> {
  const body = JSON.stringify({ event, reference, data });
  for (const ownerId of new Set(recipients)) await emit(tx, { ownerId, event, reference, body });
}

type Sides = Pick<ClaimParts, 'claim' | 'ownerApp'>;

/** The application of the tag's owner and the requester. */
export const bothSides = ({ ownerApp, claim }: Sides): string[] => [ownerApp.id, claim.requestedByAppId];

/** The application on the other side of the claim; one application may be both. */
export const otherSide =
  (actor: { id: string }) =>
  ({ ownerApp, claim }: Sides): string[] => [actor.id === ownerApp.id ? claim.requestedByAppId : ownerApp.id];

/** The digest by which a claim is found from its consent token. */
export const digestOf = (consentToken: string): Buffer => sha256(consentToken);

const TOKEN = {
  table: 'claims.claim',
  column: 'token_sealed',
  row: ['tag_id', 'subject_id', 'requested_by_app_id', 'requested_at'],
} as const;

/** What a rekey seals again. */
export const sealedColumns: readonly SealedColumn[] = [TOKEN];

/** What a token's seal is bound to: it is made before the claim has an id. */
type SealedRow = Pick<ShownParts['claim'], 'tagId' | 'subjectId' | 'requestedByAppId' | 'requestedAt'>;

const rowOf = ({ tagId, subjectId, requestedByAppId, requestedAt }: SealedRow) => [
  tagId,
  subjectId,
  requestedByAppId,
  requestedAt,
];

/** A consent token as it is stored, to be shown again while the claim is PENDING. */
export const sealToken = (keyring: Keyring, claim: SealedRow, consentToken: string): Buffer =>
  keyring.seal(TOKEN, rowOf(claim), consentToken);

/** Tokens by the sealed value: requests that share a read of the claim decrypt it once. */
const opened = new WeakMap<Buffer, string>();

function openToken(keyring: Keyring, claim: SealedRow, sealed: Buffer): string {
  let token = opened.get(sealed);
  if (token === undefined) opened.set(sealed, (token = keyring.open(TOKEN, rowOf(claim), sealed)));
  return token;
}

/** Requester, tag, subject, return URL and the owner's consent. A trigger holds that a claim that has ended stays so. */
const claimRoute = {
  table: 'claims.claim',
  columns: [
    'id',
    'tagId',
    'subjectId',
    'requestedByAppId',
    'tokenDigest',
    'returnUrl',
    'requestedAt',
    'ownerConfirmedAt',
    'ownerConfirmedBy',
    'approvedAt',
  ],
} as const satisfies RoutingFacts;

/** The columns of a claim under its MAC, for the check of the books. */
export const claimFacts: readonly RoutingFacts[] = [claimRoute];

export const macOfClaim = (keyring: Keyring, claim: FactsOf<typeof claimRoute>): Buffer =>
  routingMacOf(keyring, claimRoute, claim);

/** @throws AlteredRecord for a claim that is not as we stored it */
export const assertClaim = (keyring: Keyring, claim: ClaimRow): void => assertAuthentic(keyring, claimRoute, claim);

/** A change of a claim, with its MAC. @throws AlteredRecord for a claim that is not as we stored it */
export function changedClaim<Change extends Partial<FactsOf<typeof claimRoute>>>(
  keyring: Keyring,
  claim: ClaimRow,
  change: Change,
): Change & { routingMac: Buffer } {
  assertClaim(keyring, claim);
  return { ...change, routingMac: macOfClaim(keyring, { ...claim, ...change }) };
}
