import { DomainError } from '../../lib/domain-error.ts';
import type { Resources } from '../../resources.ts';
import { parseHandle } from './handle.ts';
import { selectTagWithOwner } from './store.ts';

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
  const { handle, namespace } = parseAddress(address);
  const found = handle === undefined ? undefined : await selectTagWithOwner(db, handle);
  const status = found?.tag.status;
  const elsewhere = namespace !== undefined && namespace !== found?.ownerApp.namespace;
  if (found === undefined || status === undefined || status === 'CLOSED' || elsewhere) {
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

function parseAddress(address: string): { handle: string | undefined; namespace: string | undefined } {
  const bare = address.startsWith('@') ? address.slice(1) : address;
  const [name = '', namespace, ...more] = bare.split('@');
  const handle = more.length === 0 && !bare.startsWith('@') ? parseHandle(name) : undefined;
  return { handle, namespace: namespace?.toLowerCase() };
}
