import { and, eq, gt, inArray, lte, ne, or, type SQL } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application } from '#modules/applications';
import { tagTransaction } from './tables.ts';
import { type FinalStatus, tagTransactionTransitions } from './tag-transaction-status.ts';

export type TagTransactionRow = typeof tagTransaction.$inferSelect;

export const sender = alias(application, 'sender');
export const receiver = alias(application, 'receiver');

/** Transactions with the names of their applications; the caller adds the condition. */
export const selectParts = (db: Executor) => selectPartsWith(db, {});

/** The same, and something besides. */
export const selectPartsWith = <More extends Record<string, SQL>>(db: Executor, more: More) =>
  db
    .select({ row: tagTransaction, senderAppName: sender.name, receiverAppName: receiver.name, ...more })
    .from(tagTransaction)
    .innerJoin(sender, eq(sender.id, tagTransaction.senderAppId))
    .innerJoin(receiver, eq(receiver.id, tagTransaction.receiverAppId))
    .$dynamic();

/** A row with the names of the two applications. */
export type TagTransactionParts = Awaited<ReturnType<typeof selectParts>>[number];

/** @returns the new transaction's id, or undefined when the sender has one of this reference */
export async function insertTransaction(
  tx: Tx,
  values: typeof tagTransaction.$inferInsert,
): Promise<string | undefined> {
  const [created] = await tx
    .insert(tagTransaction)
    .values(values)
    .onConflictDoNothing({ target: [tagTransaction.senderAppId, tagTransaction.reference] })
    .returning({ id: tagTransaction.id });
  return created?.id;
}

/** The sender's transaction of this reference, a declined one too. */
export const selectByReference = (db: Executor, senderAppId: string, reference: string) =>
  selectOne(db, and(eq(tagTransaction.senderAppId, senderAppId), eq(tagTransaction.reference, reference)));

/** The transaction with this id. */
export const selectById = (db: Executor, id: string) => selectOne(db, eq(tagTransaction.id, id));

/** A transaction that this application sends or receives. One that was declined is its sender's alone. */
export const selectOf = (db: Executor, applicationId: string, id: string) =>
  selectOne(
    db,
    and(
      eq(tagTransaction.id, id),
      or(
        eq(tagTransaction.senderAppId, applicationId),
        and(eq(tagTransaction.receiverAppId, applicationId), ne(tagTransaction.status, 'DECLINED')),
      ),
    ),
  );

/** Notes the hold that keeps a transaction's money. */
export async function updateHold(tx: Tx, id: string, holdId: number): Promise<void> {
  await tx.update(tagTransaction).set({ holdId }).where(eq(tagTransaction.id, id));
}

/** What a transition writes besides the status. */
export type TransitionChanges = Partial<
  Pick<TagTransactionRow, 'acceptedAt' | 'rejectedAt' | 'rejectionReason' | 'code' | 'postingId'>
>;

/**
 * Gives a waiting transaction its final status; when several try at once, one does. One whose time has expired can only
 * become EXPIRED, and does so no earlier.
 *
 * @returns undefined when it was not done
 */
export async function updateStatus(
  tx: Tx,
  id: string,
  to: FinalStatus,
  changes: TransitionChanges,
  now: Date,
): Promise<TagTransactionRow | undefined> {
  const { status, expiresAt } = tagTransaction;
  const inTime = to === 'EXPIRED' ? lte(expiresAt, now) : gt(expiresAt, now);
  const [updated] = await tx
    .update(tagTransaction)
    .set({ ...changes, status: to, updatedAt: now })
    .where(and(eq(tagTransaction.id, id), inArray(status, statesLeadingTo(tagTransactionTransitions, to)), inTime))
    .returning();
  return updated;
}

/** Notes the posting that settled a transaction. */
export async function updatePosting(tx: Tx, id: string, postingId: number): Promise<void> {
  await tx.update(tagTransaction).set({ postingId }).where(eq(tagTransaction.id, id));
}

/** The ids of transactions that wait although they have expired, the longest overdue first. */
export async function selectOverdue(db: Executor, now: Date, limit: number): Promise<string[]> {
  const overdue = await db
    .select({ id: tagTransaction.id })
    .from(tagTransaction)
    .where(
      and(
        inArray(tagTransaction.status, statesLeadingTo(tagTransactionTransitions, 'EXPIRED')),
        lte(tagTransaction.expiresAt, now),
      ),
    )
    .orderBy(tagTransaction.expiresAt)
    .limit(limit);
  return overdue.map(({ id }) => id);
}

const selectOne = async (db: Executor, condition: SQL | undefined): Promise<TagTransactionParts | undefined> =>
  (await selectParts(db).where(condition))[0];
