import { and, eq, sql } from 'drizzle-orm';
import type { Executor, Tx } from '../../lib/database.ts';
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

/** Its pending deliveries are put aside, or become due again: a trigger sees to it in the same transaction. */
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

/** How much waits for a receiver, and since when the oldest of it could have been sent (null: nothing can be now). */
export async function selectBacklog(
  db: Executor,
  receiverId: string,
): Promise<{ pending: number; oldestDueAt: Date | null }> {
  const [row] = await db
    .select({
      pending: sql`count(*)`.mapWith(Number),
      oldestDueAt: sql`min(${delivery.dueAt})`.mapWith(delivery.dueAt),
    })
    .from(delivery)
    .where(and(eq(delivery.receiverId, receiverId), eq(delivery.status, 'PENDING')));
  return { pending: row?.pending ?? 0, oldestDueAt: row?.oldestDueAt ?? null };
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
