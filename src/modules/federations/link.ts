import { DomainError } from '#lib/domain-error.ts';
import { payTagApplicationId } from '#modules/applications';
import type { LinkStatus } from './link-status.ts';
import type { LinkParts, LinkRow } from './store.ts';

/** A link as both its sides see it. */
export interface Link {
  id: string;
  linkedTag: string;
  status: LinkStatus;
  /** How and by whom: `OTP:acme`, `CONSENT:bank`, `ATTESTATION:acme`. */
  verifiedBy: string | undefined;
  /** Where a customer consents in person, while the link waits for her; for the application that started it. */
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

/** What a link's status is at this moment: an overdue one is EXPIRED, though nobody marked it yet. */
export const statusAt = (now: Date, { status, expiresAt }: Pick<LinkRow, 'status' | 'expiresAt'>): LinkStatus =>
  status === 'PENDING' && expiresAt <= now ? 'EXPIRED' : status;

export const toLink = (now: Date, { link, linked }: LinkParts, approvalUrl?: string): Link => ({
  id: link.id,
  linkedTag: linked.handle,
  status: statusAt(now, link),
  verifiedBy: link.verifiedBy === null ? undefined : `${link.method}:${link.verifiedBy}`,
  approvalUrl,
  createdAt: link.createdAt,
});

/** Wrong answers to one challenge: with the last of them the link fails. */
export const FAILURES_MAX = 5;

/** Whether it waits for a customer of ours to say in person that the linked PayTag is hers. */
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

export const linkExpired = (): DomainError =>
  new DomainError('LINK_EXPIRED', 'the time to verify this link is over: start it again');
