import { DomainError } from '../../lib/domain-error.ts';
import type { Resources } from '../../resources.ts';
import { findTag } from './find-tag.ts';

/** A tag's owner as the public may see her. */
export interface PublicSubject {
  id: string;
  applicationId: string;
  applicationName: string;
  displayName?: string;
  imageUrl?: string;
  createdAt: Date;
}

/** A tag as the public may see it. A suspended one shows no owner. */
export interface PublicTag {
  id: string;
  tagString: string;
  qualifiedAddress: string;
  status: 'ACTIVE' | 'SUSPENDED';
  canonicalOwner?: PublicSubject;
  createdByAppId: string;
  createdByAppName: string;
  createdAt: Date;
}

/**
 * The tag of an address: `ada`, `@ada` or `ada@acme`, whose part after the @ is the namespace of the owner's application.
 *
 * @throws DomainError TAG_NOT_FOUND, also for a closed tag, another namespace, and what cannot be an address
 */
export async function resolveTag({ db }: Pick<Resources, 'db'>, address: string): Promise<PublicTag> {
  const found = await findTag(db, address);
  const status = found?.tag.status;
  if (found === undefined || status === undefined || status === 'CLOSED') {
    throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  }
  const { tag, owner, ownerApp, creator } = found;
  const canonicalOwner = {
    id: owner.id,
    applicationId: ownerApp.id,
    applicationName: ownerApp.name,
    ...(owner.displayName !== null && { displayName: owner.displayName }),
    ...(owner.imageUrl !== null && { imageUrl: owner.imageUrl }),
    createdAt: owner.createdAt,
  };
  return {
    id: tag.id,
    tagString: tag.handle,
    qualifiedAddress: `${tag.handle}@${ownerApp.namespace}`,
    status,
    ...(status === 'ACTIVE' && { canonicalOwner }),
    createdByAppId: creator.id,
    createdByAppName: creator.name,
    createdAt: tag.createdAt,
  };
}
