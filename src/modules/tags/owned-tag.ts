import type { Keyring } from '#lib/crypto/keyring.ts';
import { type AuthenticatedApplication, type Subject, toSubject } from '#modules/clients';
import type { TagWithOwner } from './store.ts';

/** A tag as its owner's application sees it: with everything about the owner, suspended or not. */
export interface OwnedTag {
  id: string;
  tagString: string;
  qualifiedAddress: string;
  status: 'ACTIVE' | 'SUSPENDED';
  canonicalOwner: Subject;
  createdByAppId: string;
  createdByAppName: string;
  createdAt: Date;
}

/** A tag that is not closed, as its owner's application sees it. */
export function toOwnedTag(
  keyring: Keyring,
  {
    tag,
    owner,
    ownerApp,
    creator,
  }: Pick<TagWithOwner, 'tag' | 'owner' | 'creator'> & { ownerApp: AuthenticatedApplication },
): OwnedTag {
  if (tag.status === 'CLOSED') throw new Error('a closed tag is shown to nobody');
  return {
    id: tag.id,
    tagString: tag.handle,
    qualifiedAddress: `${tag.handle}@${ownerApp.namespace}`,
    status: tag.status,
    canonicalOwner: toSubject(keyring, owner, ownerApp.name),
    createdByAppId: creator.id,
    createdByAppName: creator.name,
    createdAt: tag.createdAt,
  };
}
