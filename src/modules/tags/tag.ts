import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type AuthenticatedApplication, type Subject, toSubject } from '#modules/clients';
import { availableFrom, parseAddress, type TagStatus } from './handle.ts';
import {
  lockOwnStatus,
  selectTags,
  selectTagWithOwner,
  type TagFilter,
  type TagParts,
  type TagWithOwner,
  updateStatus,
  verifiedTag,
} from './store.ts';

/**
 * The tag of an address (`ada`, `@ada`, `ada@acme`) with its owner, the owner's application and the application that made it.
 * A suspended one is found; undefined for a closed tag, another namespace, and what cannot be an address.
 *
 * @throws AlteredRecord for one that is not as we stored it
 */
export async function findTag(db: Executor, keyring: Keyring, address: string): Promise<TagWithOwner | undefined> {
  const found = await findTagEvenClosed(db, address);
  return found === undefined || found.tag.status === 'CLOSED' ? undefined : verifiedTag(keyring, found);
}

/** The same, and a closed tag too until its handle is given again; unverified, for reads that act on nothing. */
export async function findTagEvenClosed(db: Executor, address: string): Promise<TagWithOwner | undefined> {
  const { handle, namespace } = parseAddress(address);
  const found = handle === undefined ? undefined : await selectTagWithOwner(db, handle);
  return namespace !== undefined && namespace !== found?.ownerApp.namespace ? undefined : found;
}

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
  if (tag.status === 'CLOSED') throw new Error('a closed tag is not shown');
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

/**
 * Gives a tag a status, and keeps it locked until this transaction ends. What hangs on the tag is the caller's business.
 *
 * @returns the status it had until now
 * @throws DomainError TAG_STATUS_CONFLICT when its status does not lead there
 */
export async function transitionTag(tx: Tx, id: string, next: TagStatus, now: Date): Promise<TagStatus> {
  const before = await lockOwnStatus(tx, id);
  if (before !== undefined && (await updateStatus(tx, id, next, now))) return before;
  const status = before ?? 'unknown';
  throw new DomainError(
    'TAG_STATUS_CONFLICT',
    `this tag is ${status.toLowerCase()}: it cannot become ${next.toLowerCase()}`,
  );
}

/** A tag as the operator sees it. */
export interface TagForOperator {
  id: string;
  tagString: string;
  qualifiedAddress: string;
  status: TagStatus;
  ownerId: string;
  ownerApplicationId: string;
  ownerApplicationName: string;
  createdByAppId: string;
  createdAt: Date;
  updatedAt: Date;
  closedAt: Date | undefined;
  /** When the handle of a closed tag can be given again. */
  availableFrom: Date | undefined;
}

/** Tags, newest first. `count` is of all that match. */
export async function listTags(
  { db }: { db: Executor },
  { limit, offset, cursor, ...filter }: TagFilter & PageRequest<string>,
): Promise<Listed<TagForOperator, string>> {
  const { items, ...found } = await selectTags(db, filter, { limit, offset, cursor });
  return { ...found, items: items.map(toTagForOperator) };
}

/** The tag of an address, closed or not. @throws DomainError TAG_NOT_FOUND */
export async function getTagForOperator({ db }: { db: Database }, address: string): Promise<TagForOperator> {
  const found = await findTagEvenClosed(db, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  return toTagForOperator(found);
}

const toTagForOperator = ({ tag, owner, ownerApp, creator }: TagParts): TagForOperator => ({
  id: tag.id,
  tagString: tag.handle,
  qualifiedAddress: `${tag.handle}@${ownerApp.namespace}`,
  status: tag.status,
  ownerId: owner.id,
  ownerApplicationId: ownerApp.id,
  ownerApplicationName: ownerApp.name,
  createdByAppId: creator.id,
  createdAt: tag.createdAt,
  updatedAt: tag.updatedAt,
  closedAt: tag.closedAt ?? undefined,
  availableFrom: tag.closedAt === null ? undefined : availableFrom(tag.closedAt),
});
