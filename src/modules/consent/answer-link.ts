import { type Clock, secondsUntil } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { effectiveStatus, findTag } from '#modules/tags';
import type { Channel } from '../../providers/messaging/port.ts';
import {
  assertLink,
  assertPending,
  FAILURES_MAX,
  isForCustomer,
  linkExpired,
  lockActivePair,
  otherSide,
  transitionLink,
  verificationOf,
} from './link.ts';
import { countFailure, countProofAttempt, type LinkParts, type LinkRow, lockLink, selectLink } from './link-store.ts';
import { linkPurpose } from './owner-code-store.ts';
import {
  type Answer,
  type AuthenticationMethods,
  authenticationMethods,
  type Challenge,
  isWrongProof,
  type Proof,
  type ProveDeps,
  proveOwner,
  type SendDeps,
  sendOwnerCode,
  type TagOwner,
  toTagOwner,
} from './prove-owner.ts';
import { type LinkStatus, linkStatusAt } from './states.ts';

type ReadDeps = { db: Database; keyring: Keyring; clock: Clock };

/** A link that asks for a customer's consent, as anybody with its approval token may see it. */
export interface LinkRequest {
  linkId: string;
  requestedByAppId: string;
  requestedByAppName: string;
  primaryTag: string;
  /** `ada@acme` */
  primaryAddress: string;
  /** The customer's PayTag. */
  tagString: string;
  qualifiedAddress: string;
  status: Exclude<LinkStatus, 'EXPIRED'>;
  requestedAt: Date;
  expiresAt: Date;
  owner: TagOwner;
  /** Nothing can be agreed on the PayTag for now. */
  isSuspended: boolean;
  authenticationMethods: AuthenticationMethods;
  /** Attempts to prove the owner that are left. */
  attemptsLeft: number;
  /** Where the page leads the customer back to, while the application is active. */
  returnUrl: string | undefined;
}

/**
 * What an approval token stands for: requester, tags and expiry. Reading it changes nothing, however often a link is fetched.
 *
 * @throws DomainError LINK_NOT_FOUND; LINK_EXPIRED for one that was not answered in time
 */
export async function openLinkRequest(deps: ReadDeps, approvalToken: string): Promise<LinkRequest> {
  const requested = await findRequested(deps, approvalToken);
  const { link, primary, primaryApp, linked, address, owner } = requested;
  const status = linkStatusAt(deps.clock.now(), link);
  if (status === 'EXPIRED') throw linkExpired();
  return {
    linkId: link.id,
    requestedByAppId: primaryApp.id,
    requestedByAppName: primaryApp.name,
    primaryTag: primary.handle,
    primaryAddress: `${primary.handle}@${primaryApp.namespace}`,
    tagString: linked.handle,
    qualifiedAddress: address,
    status,
    requestedAt: link.createdAt,
    expiresAt: link.expiresAt,
    owner,
    isSuspended: requested.isSuspended,
    authenticationMethods: await authenticationMethods(deps, owner),
    attemptsLeft: FAILURES_MAX - link.proofAttempts,
    returnUrl: primaryApp.status === 'ACTIVE' ? (link.returnUrl ?? undefined) : undefined,
  };
}

/**
 * Sends a customer a code to answer with on the approval page.
 *
 * @throws DomainError LINK_NOT_FOUND, LINK_EXPIRED, LINK_NOT_PENDING, and those of `sendOwnerCode`
 */
export async function sendLinkCode(deps: SendDeps, approvalToken: string, channel: Channel): Promise<void> {
  await sendOwnerCode(deps, challengeOf(await findAnswerable(deps, approvalToken)), channel);
}

/**
 * A customer proves who they are, and approves or declines the link of their PayTag. The link is verified or rejected, and its
 * initiator gets the event. With the fifth wrong proof the link fails.
 *
 * @throws DomainError LINK_NOT_FOUND, LINK_EXPIRED, LINK_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED, TAG_SUSPENDED,
 *   INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function answerLinkRequest(
  deps: ProveDeps,
  approvalToken: string,
  { answer, proof }: { answer: Answer; proof: Proof },
): Promise<void> {
  const requested = await findAnswerable(deps, approvalToken);
  try {
    await proveOwner(deps, challengeOf(requested), proof, () => takeProofAttempt(deps, requested.link));
  } catch (error) {
    if (isWrongProof(error)) await countWrongProof(deps, requested);
    throw error;
  }
  await deps.transact((tx) => applyAnswer(tx, deps, requested, answer));
}

interface RequestedLink extends LinkParts {
  owner: TagOwner;
  address: string;
  isSuspended: boolean;
}

/** @throws DomainError LINK_NOT_FOUND, LINK_EXPIRED, LINK_NOT_PENDING */
async function findAnswerable(deps: ReadDeps, approvalToken: string): Promise<RequestedLink> {
  const requested = await findRequested(deps, approvalToken);
  assertPending(deps.clock.now(), requested.link);
  return requested;
}

/** @throws DomainError LINK_NOT_FOUND, also when the PayTag is closed; AlteredRecord */
async function findRequested(
  { db, keyring }: Pick<ReadDeps, 'db' | 'keyring'>,
  approvalToken: string,
): Promise<RequestedLink> {
  const linkId = linkIdOf(keyring, approvalToken);
  const parts = linkId === undefined ? undefined : await selectLink(db, linkId);
  const address = parts && `${parts.linked.handle}@${parts.linkedApp.namespace}`;
  const tag = address === undefined ? undefined : await findTag(db, keyring, address);
  if (parts === undefined || address === undefined || tag?.tag.id !== parts.link.linkedTagId) throw notFound();
  if (!isForCustomer(parts.link)) throw notFound();
  assertLink(keyring, parts.link);
  const isSuspended = effectiveStatus(tag.tag.status, tag.ownerApp.status) !== 'ACTIVE';
  return { ...parts, address, isSuspended, owner: toTagOwner(tag) };
}

const notFound = () =>
  new DomainError('LINK_NOT_FOUND', 'there is no such link to consent to: ask the application that sent you here');

const challengeOf = ({ link, primary, primaryApp, linked, owner }: RequestedLink): Challenge => ({
  purpose: linkPurpose(link.id),
  about: `approve or decline that @${linked.handle} is linked to ${primary.handle}@${primaryApp.namespace}`,
  tag: linked.handle,
  owner,
  requesterId: link.primaryAppId,
  expiresAt: link.expiresAt,
});

/** Counts an attempt before the proof is checked: of any number at the same time five are checked. */
async function takeProofAttempt({ db, clock }: ReadDeps, { id, expiresAt }: LinkRow): Promise<void> {
  if (await countProofAttempt(db, id, FAILURES_MAX)) return;
  throw new DomainError(
    'CONSENT_ATTEMPTS_EXCEEDED',
    'too many attempts on this link: the application can start again',
    {
      retryAfterS: secondsUntil(expiresAt, clock.now()),
    },
  );
}

async function countWrongProof({ transact, clock }: ProveDeps, { link: { id }, linkedApp }: LinkParts): Promise<void> {
  await transact(async (tx) => {
    const now = clock.now();
    const link = await lockLink(tx, id);
    if (link === undefined || linkStatusAt(now, link) !== 'PENDING') return;
    if ((await countFailure(tx, link, now)) < FAILURES_MAX) return;
    await transitionLink(tx, { id, next: 'FAILED', now, recipients: otherSide(linkedApp) });
  });
}

async function applyAnswer(
  tx: Tx,
  { keyring, clock }: ReadDeps,
  { link, linked, linkedApp }: LinkParts,
  answer: Answer,
): Promise<void> {
  const change = { id: link.id, now: clock.now(), recipients: otherSide(linkedApp) };
  if (answer === 'decline') {
    await transitionLink(tx, { ...change, next: 'REJECTED' });
    return;
  }
  await lockActivePair(tx, link);
  const verified = { verifiedAt: change.now, verifiedBy: `${linked.handle}@${linkedApp.namespace}` };
  await transitionLink(tx, { ...change, next: 'VERIFIED', verification: verificationOf(keyring, link, verified) });
}

/** An approval token is a link's id and its signature, in base64url: nothing is stored for it. */
const TOKEN = /^[\w-]{64}$/;
const ID_BYTES = 16;
const PURPOSE = 'federation.approval';

/** Where a customer consents to a pending link. The URL gives no power without their proof. */
export function approvalUrlOf(
  { keyring, clock, publicUrl }: { keyring: Keyring; clock: Clock; publicUrl: string },
  { link }: LinkParts,
): string | undefined {
  if (!isForCustomer(link) || linkStatusAt(clock.now(), link) !== 'PENDING') return undefined;
  const id = Buffer.from(link.id.replaceAll('-', ''), 'hex');
  const token = Buffer.concat([id, keyring.sign(PURPOSE, id.toString('hex'))]).toString('base64url');
  return `${publicUrl}/api/v1/federation/${token}`;
}

/** The id of the link of an approval token; undefined for a token that we did not sign. */
function linkIdOf(keyring: Keyring, approvalToken: string): string | undefined {
  if (!TOKEN.test(approvalToken)) return undefined;
  const bytes = Buffer.from(approvalToken, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  if (!keyring.verifies(PURPOSE, id.toString('hex'), bytes.subarray(ID_BYTES))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
