import { and, eq, gt, inArray, isNull, lte, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application, subject } from '#modules/applications';
import { tag } from './tables.ts';
import { quarantineEnd, type TagStatus, tagTransitions } from './tag-status.ts';

export type TagRow = typeof tag.$inferSelect;
type ApplicationStatus = typeof application.$inferSelect.status;
export type TagWithOwner = NonNullable<Awaited<ReturnType<typeof selectTagWithOwner>>>;

type NewTag = Pick<typeof tag.$inferInsert, 'handle' | 'subjectId' | 'createdByAppId'> & { createdAt: Date };

/**
 * The new tag, or undefined when the handle is taken. A closed tag keeps its handle in the unique index until somebody
 * makes a tag of it after the quarantine: when several try at once, one does.
 */
export async function insertTag(tx: Tx, values: NewTag): Promise<TagRow | undefined> {
  return (await insertOnce(tx, values)) ?? ((await releaseHandle(tx, values)) ? insertOnce(tx, values) : undefined);
}

async function insertOnce(tx: Tx, values: NewTag): Promise<TagRow | undefined> {
  const [created] = await tx
    .insert(tag)
    .values({ ...values, updatedAt: values.createdAt })
    .onConflictDoNothing({ target: tag.handle, where: isNull(tag.releasedAt) })
    .returning();
  return created;
}

async function releaseHandle(tx: Tx, { handle, createdAt: now }: NewTag): Promise<boolean> {
  const released = await tx
    .update(tag)
    .set({ releasedAt: now })
    .where(and(holding(handle), lte(tag.closedAt, quarantineEnd(now))))
    .returning({ id: tag.id });
  return released.length === 1;
}

const holding = (handle: string) => and(eq(tag.handle, handle), isNull(tag.releasedAt));

/** Whether a tag has the handle, or had it and is in quarantine. */
export async function isTaken(db: Executor, handle: string, now: Date): Promise<boolean> {
  const inQuarantine = or(isNull(tag.closedAt), gt(tag.closedAt, quarantineEnd(now)));
  const found = await db
    .select({ id: tag.id })
    .from(tag)
    .where(and(holding(handle), inQuarantine));
  return found.length > 0;
}

/**
 * Whether an application holds so many handles that it may have no more: of its tags, and of those that it closed and that
 * are still in quarantine. Whoever asks next for the same application waits until this transaction ends, so that of any
 * number at once none gets past the number.
 */
export async function lockIsFull(
  tx: Tx,
  { applicationId, max, now }: { applicationId: string; max: number; now: Date },
): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tags.of:${applicationId}`}, 0))`);
  const held = or(isNull(tag.closedAt), gt(tag.closedAt, quarantineEnd(now)));
  const last = await tx
    .select({ id: tag.id })
    .from(tag)
    .where(and(eq(tag.createdByAppId, applicationId), isNull(tag.releasedAt), held))
    .offset(max - 1)
    .limit(1);
  return last.length > 0;
}

/** Gives a tag a status, if its own leads there. False when it does not. */
export async function updateStatus(tx: Tx, id: string, next: TagStatus, now: Date): Promise<boolean> {
  const updated = await tx
    .update(tag)
    .set({ status: next, closedAt: next === 'CLOSED' ? now : null, updatedAt: now })
    .where(and(eq(tag.id, id), inArray(tag.status, statesLeadingTo(tagTransitions, next))))
    .returning({ id: tag.id });
  return updated.length === 1;
}

const creator = alias(application, 'creator');

/** A tag with its owner, the owner's application and the application that made it. */
export async function selectTagWithOwner(db: Executor, handle: string) {
  const [found] = await db
    .select({
      tag,
      owner: subject,
      ownerApp: {
        id: application.id,
        name: application.name,
        namespace: application.namespace,
        status: application.status,
      },
      creator: { id: creator.id, name: creator.name },
    })
    .from(tag)
    .innerJoin(subject, eq(subject.id, tag.subjectId))
    .innerJoin(application, eq(application.id, subject.applicationId))
    .innerJoin(creator, eq(creator.id, tag.createdByAppId))
    .where(holding(handle));
  return found;
}

/** The tag's own status, locked against change until this transaction ends. */
export async function lockOwnStatus(tx: Tx, id: string): Promise<TagStatus | undefined> {
  const [locked] = await tx.select({ status: tag.status }).from(tag).where(eq(tag.id, id)).for('no key update');
  return locked?.status;
}

/** The status that counts: an active tag is SUSPENDED while the application of its owner is not active. */
export const effectiveStatus = (status: TagStatus, ownerAppStatus: ApplicationStatus): TagStatus =>
  status === 'ACTIVE' && ownerAppStatus !== 'ACTIVE' ? 'SUSPENDED' : status;

/** The status that counts (`effectiveStatus`). The tag's own cannot change until this transaction ends. */
export async function lockTagStatus(tx: Tx, id: string): Promise<TagStatus | undefined> {
  const [locked] = await tx
    .select({ status: tag.status, ownerAppStatus: ownerAppStatus(tx) })
    .from(tag)
    .where(eq(tag.id, id))
    .for('share');
  return locked && effectiveStatus(locked.status, locked.ownerAppStatus);
}

const ownerAppStatus = (tx: Tx) =>
  sql<ApplicationStatus>`(${tx
    .select({ status: application.status })
    .from(subject)
    .innerJoin(application, eq(application.id, subject.applicationId))
    .where(eq(subject.id, tag.subjectId))})`;
