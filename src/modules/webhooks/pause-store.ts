import { eq, isNull, sql } from '#drizzle';
import type { Database, Executor, Tx } from '#lib/database.ts';
import { receiver } from '#modules/outbox';
import type { PauseRow } from './receiver-store.ts';
import { pause, release } from './tables.ts';

/** Locks the receiver of an owner against changes of its URL and its pause; events go on being written meanwhile. */
export async function lockReceiver(tx: Tx, ownerId: string): Promise<{ id: string } | undefined> {
  const owned = eq(receiver.ownerId, ownerId);
  const [found] = await tx.select({ id: receiver.id }).from(receiver).where(owned).for('no key update');
  return found;
}

/** The pause in force; undefined while the receiver is active. */
export async function selectPause(db: Executor, receiverId: string): Promise<PauseRow | undefined> {
  const [found] = await db
    .select()
    .from(pause)
    .where(sql`${pause.receiverId} = ${receiverId} and ${isNull(pause.resumedAt)}`);
  return found;
}

/** From now on nothing is sent to a locked receiver, and its deliveries are held. */
export async function insertPause(tx: Tx, receiverId: string, by: PauseRow['pausedBy'], reason: string): Promise<void> {
  const values = { pausedAt: sql`now()`, pausedBy: by, reason, resumedAt: null };
  await tx
    .insert(pause)
    .values({ receiverId, ...values })
    .onConflictDoUpdate({ target: pause.receiverId, set: values });
  await releaseIfDeliverable(tx, receiverId);
}

/** Ends the pause of a locked receiver. Of what is held, the first part becomes due in the same transaction. */
export async function endPause(tx: Tx, receiverId: string): Promise<void> {
  await tx.update(pause).set({ resumedAt: sql`now()` }).where(eq(pause.receiverId, receiverId));
  await releaseIfDeliverable(tx, receiverId);
}

async function releaseIfDeliverable(tx: Tx, receiverId: string): Promise<void> {
  await tx.execute(sql`select webhooks.release_if_deliverable(${receiverId}::uuid)`);
}

/** Receivers that can be sent to again and may still have held deliveries. */
export async function selectReleasing(db: Database, limit: number): Promise<string[]> {
  const rows = await db.select().from(release).limit(limit);
  return rows.map(({ receiverId }) => receiverId);
}

/** Makes up to `limit` held deliveries of a receiver due, the oldest first, and says how many. */
export async function releaseHeldOf(tx: Tx, receiverId: string, limit: number): Promise<number> {
  const { rows } = await tx.execute<{ released: number }>(
    sql`select webhooks.release_held(${receiverId}::uuid, ${limit}) as released`,
  );
  return rows[0]?.released ?? 0;
}
