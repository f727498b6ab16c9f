import { and, eq, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import type { ReceiverRow } from './store.ts';
import { breaker, delivery, receiver } from './tables.ts';

export async function selectReceiverLocked(tx: Tx, ownerId: string): Promise<ReceiverRow | undefined> {
  const [found] = await tx.select().from(receiver).where(eq(receiver.ownerId, ownerId)).for('no key update'); // events go on being written meanwhile
  return found;
}

export interface Pause {
  by: NonNullable<ReceiverRow['pausedBy']>;
  reason: string;
}

/** What was kept for it becomes due with ACTIVE: a trigger sees to it, of many the first ones in the same transaction. */
export async function setReceiverPause(tx: Tx, id: string, pause: Pause | null): Promise<ReceiverRow> {
  const [updated] = await tx
    .update(receiver)
    .set({
      status: pause === null ? 'ACTIVE' : 'PAUSED',
      pausedAt: pause && sql`now()`,
      pausedBy: pause && pause.by,
      pauseReason: pause && pause.reason,
      updatedAt: sql`now()`,
    })
    .where(eq(receiver.id, id))
    .returning();
  if (updated === undefined) throw new Error('a locked receiver is gone');
  return updated;
}

/** How much waits for a receiver, and when the first of it is or was due; what was kept for it is not until it can be sent. */
export async function selectBacklog(
  db: Executor,
  receiverId: string,
): Promise<{ pending: number; firstDueAt: Date | null }> {
  const [row] = await db
    .select({
      pending: sql`count(*)`.mapWith(Number),
      firstDueAt: sql`min(${delivery.dueAt})`.mapWith(delivery.dueAt),
    })
    .from(delivery)
    .where(and(eq(delivery.receiverId, receiverId), eq(delivery.status, 'PENDING')));
  return { pending: row?.pending ?? 0, firstDueAt: row?.firstDueAt ?? null };
}

export type BreakerRow = typeof breaker.$inferSelect;

export async function selectBreaker(db: Executor, receiverId: string): Promise<BreakerRow | undefined> {
  const [found] = await db.select().from(breaker).where(eq(breaker.receiverId, receiverId));
  return found;
}

/** Forgets how a receiver was doing. After its deliveries, if these change too: outcomes lock in that order. */
export async function deleteBreaker(tx: Tx, receiverId: string): Promise<void> {
  await tx.delete(breaker).where(eq(breaker.receiverId, receiverId));
}
