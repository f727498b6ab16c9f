import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type AuthenticatedApplication, payTagApplicationId } from '#modules/clients';
import { findTag } from '#modules/tags';
import { assertLink } from './link-route.ts';
import type { LinkStatus } from './link-status.ts';
import { type LinkParts, type LinkRow, selectLink } from './link-store.ts';

/** A link as both its sides see it. */
export interface Link {
  id: string;
  linkedTag: string;
  status: LinkStatus;
  /** How and by whom: `OTP:acme`, `CONSENT:bank`, `ATTESTATION:acme`. */
  verifiedBy: string | undefined;
  /** Where a customer consents, while the link waits for them; for the application that started it. */
  approvalUrl: string | undefined;
  createdAt: Date;
}

/** A tag and what is linked to it. */
export interface Federation {
  id: string;
  primaryTag: string;
  /** Newest first. */
  links: Link[];
  createdAt: Date;
}

/** Which link of which federation. */
export interface LinkAddress {
  /** The address of the primary tag. */
  address: string;
  linkId: string;
}

/** A link, and which side of it an application is on; both sides may be one. */
export interface SeenLink {
  parts: LinkParts;
  /** It started the link: the primary tag's owner is its subject. */
  isPrimary: boolean;
  /** The linked tag's owner is its subject. */
  isLinked: boolean;
}

/** Wrong answers to one challenge: with the last of them the link fails. */
export const FAILURES_MAX = 5;

/**
 * A link as one of its two applications sees it.
 *
 * @throws DomainError LINK_NOT_FOUND, also for another tag's link and for an application that is on neither side; AlteredRecord
 */
export async function findLink(
  db: Executor,
  keyring: Keyring,
  { id }: AuthenticatedApplication,
  { address, linkId }: LinkAddress,
): Promise<SeenLink> {
  const tag = await findTag(db, keyring, address);
  const parts = tag && (await selectLink(db, linkId));
  const isPrimary = parts?.link.primaryAppId === id;
  const isLinked = parts?.link.linkedAppId === id;
  if (parts?.link.primaryTagId !== tag?.tag.id || parts === undefined || !(isPrimary || isLinked)) {
    throw new DomainError('LINK_NOT_FOUND', 'there is no such link of this tag');
  }
  assertLink(keyring, parts.link);
  return { parts, isPrimary, isLinked };
}

/** What a link's status is now: an overdue one is EXPIRED, though nobody marked it yet. */
export const statusAt = (now: Date, { status, expiresAt }: Pick<LinkRow, 'status' | 'expiresAt'>): LinkStatus =>
  status === 'PENDING' && expiresAt <= now ? 'EXPIRED' : status;

/** A link as its sides are shown it. */
export const toLink = (now: Date, { link, linked }: LinkParts, approvalUrl?: string): Link => ({
  id: link.id,
  linkedTag: linked.handle,
  status: statusAt(now, link),
  verifiedBy: link.verifiedBy === null ? undefined : `${link.method}:${link.verifiedBy}`,
  approvalUrl,
  createdAt: link.createdAt,
});

/** Whether it waits for a customer of ours to say that the linked PayTag is theirs. */
export const isForCustomer = ({ method, linkedAppId }: Pick<LinkRow, 'method' | 'linkedAppId'>): boolean =>
  method === 'CONSENT' && linkedAppId === payTagApplicationId;

/** What the code that verifies a link is digested for. */
export const codePurpose = (linkId: string): string => `link:${linkId}`;

/** @throws DomainError LINK_EXPIRED, LINK_NOT_PENDING */
export function assertPending(now: Date, link: LinkRow): void {
  const status = statusAt(now, link);
  if (status === 'EXPIRED') throw linkExpired();
  if (status !== 'PENDING') {
    throw new DomainError('LINK_NOT_PENDING', `this link is ${status.toLowerCase()} already`);
  }
}

/** The refusal of a link that nobody verified in time. */
export const linkExpired = (): DomainError =>
  new DomainError('LINK_EXPIRED', 'the time to verify this link has expired: start it again');
