import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { findTagEvenClosed } from './find-tag.ts';
import { selectTags, type TagFilter, type TagParts } from './list-store.ts';
import { availableFrom, type TagStatus } from './tag-status.ts';

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
  /** From when on somebody else can have the handle of a closed tag. */
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
