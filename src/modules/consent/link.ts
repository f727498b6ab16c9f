import type { Keyring } from '#lib/crypto/keyring.ts';
import {
  assertAuthentic,
  type FactsOf,
  type RoutingFacts,
  routingMacOf,
  type Vouched,
} from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type AuthenticatedApplication, payTagApplicationId } from '#modules/clients';
import { findTag, lockTagStatus } from '#modules/tags';
import { publish } from './claim.ts';
import {
  type LinkParts,
  type LinkRow,
  selectLink,
  type TagPair,
  updateStatus,
  type Verification,
} from './link-store.ts';
import { type LinkStatus, linkStatusAt } from './states.ts';

/** A link as both its sides see it. */
export interface Link {
  id: string;
  linkedTag: string;
  status: LinkStatus;
  /** How and by whom: `OTP:acme`, `CONSENT:bank`, `ATTESTATION:acme`. */
  verifiedBy: string | undefined;
  /** Where a customer consents, while the link is pending; for its initiator. */
  approvalUrl: string | undefined;
  createdAt: Date;
}

/** A link as both its sides see it. */
export const toLink = (now: Date, { link, linked }: LinkParts, approvalUrl?: string): Link => ({
  id: link.id,
  linkedTag: linked.handle,
  status: linkStatusAt(now, link),
  verifiedBy: link.verifiedBy === null ? undefined : `${link.method}:${link.verifiedBy}`,
  approvalUrl,
  createdAt: link.createdAt,
});

/** Which link of which federation. */
export interface LinkAddress {
  /** The address of the primary tag. */
  address: string;
  linkId: string;
}

/** A link as one of its two applications found it; one may be both. */
export interface FoundLink {
  parts: LinkParts;
  /** The caller started the link: the primary tag's owner is its subject. */
  isPrimary: boolean;
  /** The linked tag's owner is the caller's subject. */
  isLinked: boolean;
}

/**
 * A link for one of its two applications.
 *
 * @throws DomainError LINK_NOT_FOUND, also for another tag's link and for any other application; AlteredRecord
 */
export async function findLinkAs(
  { id }: AuthenticatedApplication,
  { db, keyring }: { db: Executor; keyring: Keyring },
  { address, linkId }: LinkAddress,
): Promise<FoundLink> {
  const [tagged, parts] = await Promise.all([findTag(db, keyring, address), selectLink(db, linkId)]);
  const isPrimary = parts?.link.primaryAppId === id;
  const isLinked = parts?.link.linkedAppId === id;
  if (parts === undefined || parts.link.primaryTagId !== tagged?.tag.id || !(isPrimary || isLinked)) {
    throw linkNotFound();
  }
  assertLink(keyring, parts.link);
  return { parts, isPrimary, isLinked };
}

export const linkNotFound = () => new DomainError('LINK_NOT_FOUND', 'there is no such link of this tag');

/** The refusal of a link that was not verified in time. */
export const linkExpired = () =>
  new DomainError('LINK_EXPIRED', 'the time to verify this link has expired: start it again');

/** @throws DomainError LINK_EXPIRED, LINK_NOT_PENDING */
export function assertPending(now: Date, link: LinkRow): void {
  const status = linkStatusAt(now, link);
  if (status === 'EXPIRED') throw linkExpired();
  if (status !== 'PENDING') {
    throw new DomainError('LINK_NOT_PENDING', `this link is ${status.toLowerCase()} already`);
  }
}

/** Whether a customer of ours has to consent to the link of their PayTag. */
export const isForCustomer = ({ method, linkedAppId }: Pick<LinkRow, 'method' | 'linkedAppId'>): boolean =>
  method === 'CONSENT' && linkedAppId === payTagApplicationId;

/** Wrong answers to the challenge of a link: with the last of them it fails. */
export const FAILURES_MAX = 5;

/** What the code of a link that its initiator returns is digested for. */
export const codePurpose = (linkId: string): string => `link:${linkId}`;

/**
 * Makes sure that both tags of a link are active, and stay so until the transaction ends.
 *
 * @throws DomainError TAG_SUSPENDED
 */
export async function lockActivePair(tx: Tx, { primaryTagId, linkedTagId }: TagPair): Promise<void> {
  for (const id of [primaryTagId, linkedTagId].toSorted()) {
    if ((await lockTagStatus(tx, id)) === 'ACTIVE') continue;
    throw new DomainError('TAG_SUSPENDED', 'one of the two tags is suspended: nothing can be agreed on it');
  }
}

const events = {
  VERIFIED: 'FEDERATION_VERIFIED',
  REJECTED: 'FEDERATION_REJECTED',
  FAILED: 'FEDERATION_FAILED',
  EXPIRED: 'FEDERATION_EXPIRED',
  REVOKED: 'FEDERATION_REVOKED',
} as const satisfies Record<Exclude<LinkStatus, 'PENDING'>, string>;

interface Transition {
  id: string;
  next: keyof typeof events;
  now: Date;
  /** For VERIFIED only. */
  verification?: Verification;
  /** The ids of the applications that get the event. */
  recipients: (parts: LinkParts) => string[];
}

/**
 * Gives a link a status and publishes it. Of several transactions at the same time one does; for the others `refuse` gets the
 * link as it is now, and must throw.
 *
 * @throws DomainError LINK_EXPIRED, LINK_NOT_PENDING, or what `refuse` throws
 */
export async function transitionLink(
  tx: Tx,
  { id, recipients, ...change }: Transition,
  refuse: (link: LinkRow) => void = (link) => assertPending(change.now, link),
): Promise<Link> {
  const [isDone, parts] = await Promise.all([updateStatus(tx, id, change), selectLink(tx, id)]);
  if (parts === undefined) throw new Error('a link that was read is never deleted');
  if (!isDone) {
    refuse(parts.link);
    throw new Error(`a link that is ${parts.link.status} did not become ${change.next}`);
  }
  const { status, verifiedBy } = parts.link;
  const data = { ...namesOf(parts), status, verifiedBy: verifiedBy ?? '' };
  await publish(tx, { event: events[change.next], reference: id, data }, recipients(parts));
  return toLink(change.now, parts);
}

/** Asks the linked side alone to confirm a link; with the code, where there is one. */
export async function publishChallenge(tx: Tx, parts: LinkParts, token = ''): Promise<void> {
  const { id, expiresAt, linkedAppId } = parts.link;
  const data = { ...namesOf(parts), token, expiresAt };
  await publish(tx, { event: 'FEDERATION_CHALLENGE', reference: id, data }, [linkedAppId]);
}

const namesOf = ({ link, primary, linked }: LinkParts) => ({
  linkId: link.id,
  primaryTag: primary.handle,
  secondaryTag: linked.handle,
  verificationMethod: link.method,
});

/** The application that started the link and that of the linked tag's owner. */
export const bothSides = ({ link }: Pick<LinkParts, 'link'>): string[] => [link.primaryAppId, link.linkedAppId];

/** The application on the other side of the link; one application may be both. */
export const otherSide =
  (actor: { id: string }) =>
  ({ link }: Pick<LinkParts, 'link'>): string[] => [
    actor.id === link.primaryAppId ? link.linkedAppId : link.primaryAppId,
  ];

/** Tags, applications, return URL and verification. A trigger holds that a link that has ended stays so. */
const linkRoute = {
  table: 'federations.link',
  columns: [
    'id',
    'federationId',
    'primaryTagId',
    'primaryAppId',
    'linkedTagId',
    'linkedAppId',
    'method',
    'returnUrl',
    'verifiedAt',
    'verifiedBy',
  ],
} as const satisfies RoutingFacts;

type VouchedLink = Vouched<typeof linkRoute>;

/** The columns of a link under its MAC, for the check of the books. */
export const linkFacts: readonly RoutingFacts[] = [linkRoute];

export const macOfLink = (keyring: Keyring, link: FactsOf<typeof linkRoute>): Buffer =>
  routingMacOf(keyring, linkRoute, link);

/** @throws AlteredRecord for a link that is not as we stored it */
export const assertLink = (keyring: Keyring, link: VouchedLink): void => assertAuthentic(keyring, linkRoute, link);

/** What verified a link, with its MAC. @throws AlteredRecord for a link that is not as we stored it */
export function verificationOf(
  keyring: Keyring,
  link: VouchedLink,
  verified: { verifiedAt: Date; verifiedBy: string },
): Verification {
  assertLink(keyring, link);
  return { ...verified, routingMac: macOfLink(keyring, { ...link, ...verified }) };
}
