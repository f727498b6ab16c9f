import { eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { application, subject } from '#modules/applications';
import type { Executor, Tx } from '../../lib/database.ts';
import { tag } from './tables.ts';

export type TagRow = typeof tag.$inferSelect;
export type TagWithOwner = NonNullable<Awaited<ReturnType<typeof selectTagWithOwner>>>;

/** The new tag, or undefined when the handle is somebody's. */
export async function insertTag(
  tx: Executor,
  values: Pick<typeof tag.$inferInsert, 'handle' | 'subjectId' | 'createdByAppId' | 'createdAt'>,
): Promise<TagRow | undefined> {
  const [created] = await tx.insert(tag).values(values).onConflictDoNothing({ target: tag.handle }).returning();
  return created;
}

export async function handleExists(db: Executor, handle: string): Promise<boolean> {
  const found = await db.select({ id: tag.id }).from(tag).where(eq(tag.handle, handle));
  return found.length > 0;
}

const creator = alias(application, 'creator');

/** A tag with its owner, the owner's application and the application that made it. */
export async function selectTagWithOwner(db: Executor, handle: string) {
  const [found] = await db
    .select({
      tag,
      owner: subject,
      ownerApp: { id: application.id, name: application.name, namespace: application.namespace },
      creator: { id: creator.id, name: creator.name },
    })
    .from(tag)
    .innerJoin(subject, eq(subject.id, tag.subjectId))
    .innerJoin(application, eq(application.id, subject.applicationId))
    .innerJoin(creator, eq(creator.id, tag.createdByAppId))
    .where(eq(tag.handle, handle));
  return found;
}

/** The tag's status, which cannot change until this transaction is over. */
export async function lockTagStatus(tx: Tx, id: string): Promise<TagRow['status'] | undefined> {
  const [found] = await tx.select({ status: tag.status }).from(tag).where(eq(tag.id, id)).for('share');
  return found?.status;
}
