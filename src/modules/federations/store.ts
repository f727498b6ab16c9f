import { and, count, desc, eq, gt, inArray, lt, lte, or, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application } from '#modules/applications';
import { tag } from '#modules/tags';
import { type LinkStatus, linkTransitions } from './link-status.ts';
import { federation, link } from './tables.ts';

export type LinkRow = typeof link.$inferSelect;
export type FederationRow = typeof federation.$inferSelect;
export type LinkParts = Awaited<ReturnType<typeof selectParts>>[number];

const primary = alias(tag, 'primary_tag');
const linked = alias(tag, 'linked_tag');
const primaryApp = alias(application, 'primary_app');
const linkedApp = alias(application, 'linked_app');

const parts = (db: Executor) =>
  db
    .select({
      link,
      primary: { handle: primary.handle, subjectId: primary.subjectId },
      linked: { handle: linked.handle },
      primaryApp: { id: primaryApp.id, name: primaryApp.name, namespace: primaryApp.namespace },
      linkedApp: { id: linkedApp.id, namespace: linkedApp.namespace },
    })
    .from(link)
    .innerJoin(primary, eq(primary.id, link.primaryTagId))
    .innerJoin(linked, eq(linked.id, link.linkedTagId))
    .innerJoin(primaryApp, eq(primaryApp.id, link.primaryAppId))
    .innerJoin(linkedApp, eq(linkedApp.id, link.linkedAppId))
    .$dynamic();

const selectParts = async (db: Executor, condition: SQL | undefined) => parts(db).where(condition);

/** A link with its tags and applications. */
export async function selectLink(db: Executor, id: string): Promise<LinkParts | undefined> {
  const [found] = await selectParts(db, eq(link.id, id));
  return found;
}

/** The links of a federation, of those to one application's tags when it is named. Newest first. */
export async function selectLinks(
  db: Executor,
  { federationId, linkedAppId }: { federationId: string; linkedAppId: string | undefined },
  limit: number,
): Promise<LinkParts[]> {
  const its = linkedAppId === undefined ? undefined : eq(link.linkedAppId, linkedAppId);
  return parts(db)
    .where(and(eq(link.federationId, federationId), its))
    .orderBy(desc(link.id))
    .limit(limit);
}

/** The verified links to a tag, newest first. `count` is of all of them. */
export async function selectVerifiedTo(
  db: Executor,
  linkedTagId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ items: LinkParts[]; count: number }> {
  const its = and(eq(link.linkedTagId, linkedTagId), eq(link.status, 'VERIFIED'));
  const items = await parts(db)
    .where(and(its, before === undefined ? undefined : lt(link.id, before)))
    .orderBy(desc(link.id))
    .limit(limit);
  const [counted] = await db.select({ count: count() }).from(link).where(its);
  return { items, count: counted?.count ?? 0 };
}

/** The federation of a primary tag. */
export async function selectFederation(db: Executor, primaryTagId: string): Promise<FederationRow | undefined> {
  const [found] = await db.select().from(federation).where(eq(federation.primaryTagId, primaryTagId));
  return found;
}

/** The federation of a tag, made when it has none. Of any number at once, one makes it. */
export async function ensureFederation(tx: Tx, primaryTagId: string, createdAt: Date): Promise<FederationRow> {
  await tx.insert(federation).values({ primaryTagId, createdAt }).onConflictDoNothing();
  const found = await selectFederation(tx, primaryTagId);
  if (found === undefined) throw new Error('a federation is never deleted');
  return found;
}

/** An id for a new link, known before its code is digested. */
export async function newLinkId(tx: Tx): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(sql`select uuidv7() as id`);
  const [row] = rows;
  if (row === undefined) throw new Error('a select of a value returned none');
  return row.id;
}

/** False when a link is open between the two tags already, in either direction. Of any number at once, one is made. */
export async function insertLink(tx: Tx, values: typeof link.$inferInsert): Promise<boolean> {
  const made = await tx.insert(link).values(values).onConflictDoNothing().returning({ id: link.id });
  return made.length === 1;
}

/** Takes back a link whose challenge reached nobody, as if it had never been asked for. */
export async function deleteUnsent(db: Executor, id: string): Promise<void> {
  await db.delete(link).where(and(eq(link.id, id), eq(link.status, 'PENDING')));
}

/** The link. Locked until the transaction ends. */
export async function lockLink(tx: Tx, id: string): Promise<LinkRow | undefined> {
  const [found] = await tx.select().from(link).where(eq(link.id, id)).for('no key update');
  return found;
}

/** Counts a wrong answer to the challenge of a link that is locked. Answers how many there were with this one. */
export async function countFailure(tx: Tx, { id, failures }: LinkRow, now: Date): Promise<number> {
  const counted = failures + 1;
  await tx.update(link).set({ failures: counted, updatedAt: now }).where(eq(link.id, id));
  return counted;
}

/** Counts an attempt to prove the linked tag's owner. False when there were `max` already: of any number at once, no more are. */
export async function countProofAttempt(db: Executor, id: string, max: number): Promise<boolean> {
  const counted = await db
    .update(link)
    .set({ proofAttempts: sql`${link.proofAttempts} + 1` })
    .where(and(eq(link.id, id), lt(link.proofAttempts, max)))
    .returning({ id: link.id });
  return counted.length === 1;
}

/** Past its time a pending link goes nowhere but to EXPIRED, and not there before. */
const inTime = (next: LinkStatus, now: Date) => {
  if (next === 'EXPIRED') return lte(link.expiresAt, now);
  const open = gt(link.expiresAt, now);
  return next === 'REVOKED' ? or(eq(link.status, 'VERIFIED'), open) : open;
};

/**
 * Takes a link to a status, from one that leads there. Of any number at once, one does. False when none did.
 *
 * @param change.verifiedBy who verified it, for that transition alone
 */
export async function updateStatus(
  tx: Tx,
  id: string,
  { next, now, verifiedBy }: { next: LinkStatus; now: Date; verifiedBy?: string | undefined },
): Promise<boolean> {
  const verified = next === 'VERIFIED' ? { verifiedAt: now, verifiedBy } : {};
  const updated = await tx
    .update(link)
    .set({ status: next, tokenDigest: null, updatedAt: now, ...verified })
    .where(and(eq(link.id, id), inArray(link.status, statesLeadingTo(linkTransitions, next)), inTime(next, now)))
    .returning({ id: link.id });
  return updated.length === 1;
}

/** Two tags, in either order. */
export type TagPair = Pick<LinkRow, 'primaryTagId' | 'linkedTagId'>;

const between = ({ primaryTagId, linkedTagId }: TagPair) =>
  sql`least(${link.primaryTagId}, ${link.linkedTagId}) = least(${primaryTagId}::uuid, ${linkedTagId}::uuid)
      and greatest(${link.primaryTagId}, ${link.linkedTagId}) = greatest(${primaryTagId}::uuid, ${linkedTagId}::uuid)`;

/** Links that are pending past their time, oldest first, or the one between two tags; those that another transaction has locked are left out. */
export async function lockOverdue(
  tx: Tx,
  { now, limit, pair }: { now: Date; limit: number; pair?: TagPair },
): Promise<string[]> {
  const overdue = await tx
    .select({ id: link.id })
    .from(link)
    .where(and(eq(link.status, 'PENDING'), lte(link.expiresAt, now), pair && between(pair)))
    .orderBy(link.expiresAt)
    .limit(limit)
    .for('no key update', { skipLocked: true });
  return overdue.map(({ id }) => id);
}

/** The open links of a tag, on either side of it. Locked until the transaction ends. */
export async function lockOpenOfTag(tx: Tx, tagId: string): Promise<LinkRow[]> {
  return tx
    .select()
    .from(link)
    .where(
      and(or(eq(link.primaryTagId, tagId), eq(link.linkedTagId, tagId)), inArray(link.status, ['PENDING', 'VERIFIED'])),
    )
    .orderBy(link.id)
    .for('no key update');
}
