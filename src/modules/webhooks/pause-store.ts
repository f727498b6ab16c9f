import { eq, isNull, sql } from '#drizzle';
import type { Database, Executor, Tx } from '#lib/database.ts';
import { type Given, prepared } from '#lib/prepared.ts';
import type { PauseRow } from './receiver-store.ts';
import { pause, release } from './tables.ts';

/** The pause in force; undefined while the receiver is active. */
export async function selectPause(db: Executor, receiverId: string): Promise<PauseRow | undefined> {
  const [found] = await db
    .select()
    .from(pause)
    .where(sql`${pause.receiverId} = ${receiverId} and ${isNull(pause.resumedAt)}`);
  return found;
}

const pausedAmong = prepared('webhooks.paused-among', (db, given: Given<{ ids: readonly string[] }>) =>
  db
    .select({ id: pause.receiverId })
    .from(pause)
    .where(sql`${pause.receiverId} = any(${given.ids}) and ${isNull(pause.resumedAt)}`),
);

/** Which of these receivers are paused. */
export async function selectPaused(db: Executor, ids: readonly string[]): Promise<Set<string>> {
  const rows = await pausedAmong(db, { ids });
  return new Set(rows.map(({ id }) => id));
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

/** What waits for an endpoint that was deleted is ended: the first part in this transaction. */
export async function endDeliveriesOf(tx: Tx, receiverId: string, limit: number): Promise<void> {
  await tx.insert(release).values({ receiverId }).onConflictDoNothing();
  await releaseHeldOf(tx, receiverId, limit);
}

/** Receivers that can be sent to again, or were deleted, and may still have held deliveries. */
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
