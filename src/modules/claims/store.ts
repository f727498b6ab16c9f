import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application, subject } from '#modules/applications';
import { tag } from '#modules/tags';
import { type ClaimState, claimTransitions } from './claim-state.ts';
import { claim } from './tables.ts';

export type ClaimRow = typeof claim.$inferSelect;
/** A claim with its tag, the owner of the tag and their application, the application that asked and its subject. */
export type ClaimParts = Awaited<ReturnType<typeof selectParts>>[number];

const owner = alias(subject, 'owner');
const ownerApp = alias(application, 'owner_app');

const parts = (db: Executor) =>
  db
    .select({
      claim,
      tag: { handle: tag.handle, status: tag.status },
      owner: { id: owner.id, externalId: owner.externalId },
      ownerApp: { id: ownerApp.id, name: ownerApp.name, namespace: ownerApp.namespace, status: ownerApp.status },
      requester: {
        name: application.name,
        namespace: application.namespace,
        imageUrl: application.imageUrl,
        status: application.status,
      },
      claimant: { externalId: subject.externalId, displayName: subject.displayName },
    })
    .from(claim)
    .innerJoin(tag, eq(tag.id, claim.tagId))
    .innerJoin(owner, eq(owner.id, tag.subjectId))
    .innerJoin(ownerApp, eq(ownerApp.id, owner.applicationId))
    .innerJoin(application, eq(application.id, claim.requestedByAppId))
    .innerJoin(subject, eq(subject.id, claim.subjectId))
    .$dynamic();

const selectParts = async (db: Executor, condition: SQL | undefined) => parts(db).where(condition);

/** The claim of a consent token. */
export async function selectByToken(db: Executor, tokenDigest: Buffer): Promise<ClaimParts | undefined> {
  const [found] = await selectParts(db, eq(claim.tokenDigest, tokenDigest));
  return found;
}

/** The claim with this id. */
export async function selectById(db: Executor, id: string): Promise<ClaimParts | undefined> {
  const [found] = await selectParts(db, eq(claim.id, id));
  return found;
}

interface ClaimFilter {
  tagId: string;
  requestedByAppId?: string | undefined;
  states?: readonly ClaimState[];
}

/** The claims on a tag, newest first: of one application, or in some states, where they are given. */
export async function selectOfTag(
  db: Executor,
  { tagId, requestedByAppId, states }: ClaimFilter,
  limit: number,
): Promise<ClaimParts[]> {
  const requested = requestedByAppId === undefined ? undefined : eq(claim.requestedByAppId, requestedByAppId);
  return parts(db)
    .where(and(eq(claim.tagId, tagId), requested, states && inArray(claim.state, [...states])))
    .orderBy(desc(claim.id))
    .limit(limit);
}

/** The approved claims on the tags of a subject, newest first. `count` is of all of them. */
export async function selectApprovedOfOwner(
  db: Executor,
  { applicationId, externalId }: { applicationId: string; externalId: string },
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ items: ClaimParts[]; count: number }> {
  const owned = and(
    eq(claim.state, 'APPROVED'),
    inArray(
      claim.tagId,
      db
        .select({ id: tag.id })
        .from(tag)
        .innerJoin(subject, eq(subject.id, tag.subjectId))
        .where(and(eq(subject.applicationId, applicationId), eq(subject.externalId, externalId))),
    ),
  );
  const items = await parts(db)
    .where(and(owned, before === undefined ? undefined : lt(claim.id, before)))
    .orderBy(desc(claim.id))
    .limit(limit);
  const [counted] = await db.select({ count: count() }).from(claim).where(owned);
  return { items, count: counted?.count ?? 0 };
}

/** The new claim's id, or undefined when the application has an open one on this tag for this subject. */
export async function insertClaim(tx: Tx, values: typeof claim.$inferInsert): Promise<string | undefined> {
  const [created] = await tx
    .insert(claim)
    .values(values)
    .onConflictDoNothing({
      target: [claim.tagId, claim.subjectId, claim.requestedByAppId],
      where: sql`${claim.state} in ('PENDING', 'APPROVED')`,
    })
    .returning({ id: claim.id });
  return created?.id;
}

const stamps = (next: ClaimState, now: Date) => ({
  state: next,
  tokenSealed: null,
  updatedAt: now,
  ...(next === 'APPROVED' && { approvedAt: now }),
  ...(next === 'REVOKED' && { revokedAt: now }),
});

/** A pending claim whose token has expired becomes EXPIRED and nothing else, and does so no earlier. */
const inTime = (next: ClaimState, now: Date) => {
  if (next === 'EXPIRED') return lte(claim.tokenExpiresAt, now);
  return next === 'REVOKED' ? undefined : gt(claim.tokenExpiresAt, now);
};

/** Gives a claim a state, if its own leads there. When several try at once, one does. False when it was not done. */
export async function updateState(tx: Tx, id: string, next: ClaimState, now: Date): Promise<boolean> {
  const updated = await tx
    .update(claim)
    .set(stamps(next, now))
    .where(and(eq(claim.id, id), inArray(claim.state, statesLeadingTo(claimTransitions, next)), inTime(next, now)))
    .returning({ id: claim.id });
  return updated.length === 1;
}

/** Of all open claims one at most has each key. */
export type ClaimKey = Pick<ClaimRow, 'tagId' | 'subjectId' | 'requestedByAppId'>;

/**
 * Pending claims whose token has expired, oldest first, or the one with this key. They are locked; those that another
 * transaction has locked are left out.
 */
export async function lockOverdue(
  tx: Tx,
  { now, limit, key }: { now: Date; limit: number; key?: ClaimKey },
): Promise<string[]> {
  const overdue = await tx
    .select({ id: claim.id })
    .from(claim)
    .where(and(eq(claim.state, 'PENDING'), lte(claim.tokenExpiresAt, now), key && hasKey(key)))
    .orderBy(claim.tokenExpiresAt)
    .limit(limit)
    .for('no key update', { skipLocked: true });
  return overdue.map(({ id }) => id);
}

const hasKey = ({ tagId, subjectId, requestedByAppId }: ClaimKey) =>
  and(eq(claim.tagId, tagId), eq(claim.subjectId, subjectId), eq(claim.requestedByAppId, requestedByAppId));

/** Lets only one transaction at a time make a claim of this application on this tag. */
export async function lockRequests(tx: Tx, { tagId, requestedByAppId }: Pick<ClaimKey, 'tagId' | 'requestedByAppId'>) {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`claims.ask:${tagId}:${requestedByAppId}`}, 0))`,
  );
}

/** When the `nth` newest of the claims that an application asked for on a tag since then was asked for, if there is one. */
export async function selectNthNewest(
  tx: Tx,
  { tagId, requestedByAppId, since }: Pick<ClaimKey, 'tagId' | 'requestedByAppId'> & { since: Date },
  nth: number,
): Promise<Date | undefined> {
  const [found] = await tx
    .select({ requestedAt: claim.requestedAt })
    .from(claim)
    .where(and(eq(claim.tagId, tagId), eq(claim.requestedByAppId, requestedByAppId), gt(claim.requestedAt, since)))
    .orderBy(desc(claim.requestedAt))
    .offset(nth - 1)
    .limit(1);
  return found?.requestedAt;
}

/** The claims on a tag that are pending or approved, oldest first, locked until this transaction ends. */
export async function lockOpenOfTag(tx: Tx, tagId: string) {
  return tx
    .select({ id: claim.id, state: claim.state, tokenExpiresAt: claim.tokenExpiresAt })
    .from(claim)
    .where(and(eq(claim.tagId, tagId), inArray(claim.state, ['PENDING', 'APPROVED'])))
    .orderBy(claim.id)
    .for('no key update');
}

/** When a claim was confirmed in person, which stays so until this transaction ends; null when it was not. */
export async function lockConfirmation(tx: Tx, id: string): Promise<Date | null> {
  const [found] = await tx
    .select({ ownerConfirmedAt: claim.ownerConfirmedAt })
    .from(claim)
    .where(eq(claim.id, id))
    .for('no key update');
  return found?.ownerConfirmedAt ?? null;
}

/**
 * Forgets what was confirmed in person of claims on a tag that are still pending: whoever confirmed may not have been the owner.
 * The owner can confirm again.
 */
export async function forgetConfirmations(tx: Tx, tagId: string, now: Date): Promise<void> {
  await tx
    .update(claim)
    .set({ ownerConfirmedAt: null, ownerConfirmedBy: null, updatedAt: now })
    .where(and(eq(claim.tagId, tagId), eq(claim.state, 'PENDING'), isNotNull(claim.ownerConfirmedAt)));
}

/** Records the owner's consent on a pending claim, once. False when it is recorded already, or the claim not pending. */
export async function recordConfirmation(
  tx: Tx,
  id: string,
  provenBy: NonNullable<ClaimRow['ownerConfirmedBy']>,
  now: Date,
): Promise<boolean> {
  const recorded = await tx
    .update(claim)
    .set({ ownerConfirmedAt: now, ownerConfirmedBy: provenBy, updatedAt: now })
    .where(
      and(eq(claim.id, id), eq(claim.state, 'PENDING'), gt(claim.tokenExpiresAt, now), isNull(claim.ownerConfirmedAt)),
    )
    .returning({ id: claim.id });
  return recorded.length === 1;
}

/** Counts an attempt to prove who one is, if one is left. Of any number at once, as many succeed as are left. */
export async function countAttempt(db: Executor, id: string, max: number): Promise<boolean> {
  const counted = await db
    .update(claim)
    .set({ proofAttempts: sql`${claim.proofAttempts} + 1` })
    .where(and(eq(claim.id, id), lt(claim.proofAttempts, max)))
    .returning({ id: claim.id });
  return counted.length === 1;
}
