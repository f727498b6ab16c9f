import { and, eq, isNotNull, isNull, sql } from '#drizzle';
import { type Count, countUpTo, rememberEstimate } from '#lib/counts.ts';
import type { Executor, Tx } from '#lib/database.ts';
import { receiver } from '#modules/outbox';
import { breaker, delivery, pause } from './tables.ts';

export type BreakerRow = typeof breaker.$inferSelect;
export type PauseRow = typeof pause.$inferSelect;

/** The latest pause of a receiver, in force or not, and its breaker. */
export async function selectReceiverState(
  db: Executor,
  receiverId: string,
): Promise<{ pause: PauseRow | null; breaker: BreakerRow | null }> {
  const [found] = await db
    .select({ pause, breaker })
    .from(receiver)
    .leftJoin(pause, eq(pause.receiverId, receiver.id))
    .leftJoin(breaker, eq(breaker.receiverId, receiver.id))
    .where(eq(receiver.id, receiverId));
  return found ?? { pause: null, breaker: null };
}

/** More of one receiver are never in flight: among so many, the first that is due is not leased. */
const LEASED_MAX = 1_000;

const waitsFor = (receiverId: string) => and(eq(delivery.receiverId, receiverId), sql`${delivery.status} = 'PENDING'`);

/** How many deliveries wait for a receiver, and when the first is or was due: a held one is not until it is released. */
export async function selectBacklog(
  db: Executor,
  receiverId: string,
): Promise<{ pending: Count; firstDueAt: Date | null }> {
  const waiting = waitsFor(receiverId);
  // Due and held ones have an index each.
  const due = and(waiting, isNotNull(delivery.dueAt));
  const held = sql`select 1 from ${delivery} where ${and(waiting, isNull(delivery.dueAt))}`;
  const pending = await rememberEstimate(db, `pending of ${receiverId}`, async () =>
    countUpTo(db, sql`select 1 from ${delivery} where ${due} union all ${held}`),
  );
  const first = db
    .select({ at: sql`greatest(${delivery.dueAt}, ${delivery.leasedUntil})`.as('at') })
    .from(delivery)
    .where(due)
    .orderBy(delivery.dueAt)
    .limit(LEASED_MAX)
    .as('first');
  const [row] = await db.select({ firstDueAt: sql`min(${first.at})`.mapWith(delivery.dueAt) }).from(first);
  return { pending, firstDueAt: row?.firstDueAt ?? null };
}

/** Forgets the failures of a receiver. After its deliveries, if these change too: results lock in that order. */
export async function deleteBreaker(tx: Tx, receiverId: string): Promise<void> {
  await tx.delete(breaker).where(eq(breaker.receiverId, receiverId));
}

/**
 * Owners of active receivers whose breaker has opened, and whose attempts have failed over so many hours without a success
 * in between: the first failure and the latest are that far apart. A quiet receiver does not count. With `ownerId` only
 * that one.
 */
export async function selectLongFailing(
  db: Executor,
  hours: number,
  { limit, ownerId }: { limit: number; ownerId?: string },
): Promise<{ ownerId: string; receiverId: string; failingSince: Date }[]> {
  return db
    .select({ ownerId: receiver.ownerId, receiverId: receiver.id, failingSince: breaker.failingSince })
    .from(breaker)
    .innerJoin(receiver, eq(receiver.id, breaker.receiverId))
    .leftJoin(pause, and(eq(pause.receiverId, receiver.id), isNull(pause.resumedAt)))
    .where(
      and(
        isNull(pause.receiverId),
        sql`${breaker.openUntil} is not null`,
        sql`${breaker.lastFailedAt} - ${breaker.failingSince} >= ${hours}::int * interval '1 hour'`,
        ownerId === undefined ? undefined : eq(receiver.ownerId, ownerId),
      ),
    )
    .limit(limit);
}
