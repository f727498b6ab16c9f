import { and, eq, gt, inArray, lte, ne, or, type SQL } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application } from '#modules/applications';
import { switchTransaction } from './tables.ts';
import { type FinalStatus, transactionTransitions } from './transaction-status.ts';

type TransactionRow = typeof switchTransaction.$inferSelect;

export const sender = alias(application, 'sender');
export const receiver = alias(application, 'receiver');

/** Transactions with the names of their applications, to be narrowed by whoever asks. */
export const selectParts = (db: Executor) =>
  db
    .select({ transaction: switchTransaction, senderAppName: sender.name, receiverAppName: receiver.name })
    .from(switchTransaction)
    .innerJoin(sender, eq(sender.id, switchTransaction.senderAppId))
    .innerJoin(receiver, eq(receiver.id, switchTransaction.receiverAppId))
    .$dynamic();

export type TransactionParts = Awaited<ReturnType<typeof selectParts>>[number];

/** @returns the new transaction's id, or undefined when the sender has one of this reference */
export async function insertTransaction(
  tx: Tx,
  values: typeof switchTransaction.$inferInsert,
): Promise<string | undefined> {
  const [created] = await tx
    .insert(switchTransaction)
    .values(values)
    .onConflictDoNothing({ target: [switchTransaction.senderAppId, switchTransaction.reference] })
    .returning({ id: switchTransaction.id });
  return created?.id;
}

/** The sender's transaction of this reference, a declined one too. */
export const selectByReference = (db: Executor, senderAppId: string, reference: string) =>
  selectOne(db, and(eq(switchTransaction.senderAppId, senderAppId), eq(switchTransaction.reference, reference)));

export const selectById = (db: Executor, id: string) => selectOne(db, eq(switchTransaction.id, id));

/** A transaction that this application sends or receives. A declined one is nobody's. */
export const selectOf = (db: Executor, applicationId: string, id: string) =>
  selectOne(
    db,
    and(
      eq(switchTransaction.id, id),
      ne(switchTransaction.status, 'DECLINED'),
      or(eq(switchTransaction.senderAppId, applicationId), eq(switchTransaction.receiverAppId, applicationId)),
    ),
  );

/** The transactions that an application sends or receives under these references. */
export const selectBearers = (
  db: Executor,
  applicationId: string,
  references: readonly string[],
): Promise<{ id: string; reference: string }[]> => {
  const { id, reference, status, senderAppId, receiverAppId } = switchTransaction;
  return db
    .select({ id, reference })
    .from(switchTransaction)
    .where(
      and(
        inArray(reference, [...references]),
        ne(status, 'DECLINED'),
        or(eq(senderAppId, applicationId), eq(receiverAppId, applicationId)),
      ),
    );
};

export async function updateHold(tx: Tx, id: string, holdId: number): Promise<void> {
  await tx.update(switchTransaction).set({ holdId }).where(eq(switchTransaction.id, id));
}

/** What a move writes besides the status. */
export type MoveChanges = Partial<
  Pick<TransactionRow, 'acceptedAt' | 'rejectedAt' | 'rejectionReason' | 'code' | 'postingId'>
>;

/**
 * Moves a transaction, of many who try at once for one alone. Only one that is overdue expires, and it does nothing else.
 *
 * @returns undefined when it does not wait any more, or its time is over, or not yet
 */
export async function updateStatus(
  tx: Tx,
  id: string,
  to: FinalStatus,
  changes: MoveChanges,
  now: Date,
): Promise<TransactionRow | undefined> {
  const { status, expiresAt } = switchTransaction;
  const inTime = to === 'EXPIRED' ? lte(expiresAt, now) : gt(expiresAt, now);
  const [moved] = await tx
    .update(switchTransaction)
    .set({ ...changes, status: to, updatedAt: now })
    .where(and(eq(switchTransaction.id, id), inArray(status, statesLeadingTo(transactionTransitions, to)), inTime))
    .returning();
  return moved;
}

export async function updatePosting(tx: Tx, id: string, postingId: number): Promise<void> {
  await tx.update(switchTransaction).set({ postingId }).where(eq(switchTransaction.id, id));
}

/** Transactions that wait although their time is over, the longest overdue first. */
export async function selectOverdue(db: Executor, now: Date, limit: number): Promise<string[]> {
  const overdue = await db
    .select({ id: switchTransaction.id })
    .from(switchTransaction)
    .where(
      and(
        inArray(switchTransaction.status, statesLeadingTo(transactionTransitions, 'EXPIRED')),
        lte(switchTransaction.expiresAt, now),
      ),
    )
    .orderBy(switchTransaction.expiresAt)
    .limit(limit);
  return overdue.map(({ id }) => id);
}

const selectOne = async (db: Executor, condition: SQL | undefined): Promise<TransactionParts | undefined> =>
  (await selectParts(db).where(condition))[0];
