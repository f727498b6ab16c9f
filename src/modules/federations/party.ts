import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { findTag } from '#modules/tags';
import { type LinkParts, selectLink } from './store.ts';

/** A link of a federation. */
export interface WhichLink {
  /** The address of the primary tag. */
  address: string;
  linkId: string;
}

/** A link and the side an application is on; both sides may be one. */
export interface Party {
  parts: LinkParts;
  /** It started the link: the primary tag's owner is its subject. */
  isPrimary: boolean;
  /** The linked tag's owner is its subject. */
  isLinked: boolean;
}

/** @throws DomainError LINK_NOT_FOUND, also for another tag's link and for an application that is on neither side */
export async function partyOf(
  db: Executor,
  { id }: AuthenticatedApplication,
  { address, linkId }: WhichLink,
): Promise<Party> {
  const found = await findTag(db, address);
  const parts = found && (await selectLink(db, linkId));
  const isPrimary = parts?.link.primaryAppId === id;
  const isLinked = parts?.link.linkedAppId === id;
  if (parts?.link.primaryTagId !== found?.tag.id || parts === undefined || !(isPrimary || isLinked)) {
    throw new DomainError('LINK_NOT_FOUND', 'there is no such link of this tag');
  }
  return { parts, isPrimary, isLinked };
}
