import { and, eq, isNull, sql } from '#drizzle';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import type { PauseRow } from './receiver-store.ts';
import { pause, release } from './tables.ts';

/** The pause in force; undefined while the receiver is active. */
export const selectPause = (db: Executor, receiverId: string): Promise<PauseRow | undefined> =>
  inForce(db, { receiverId });

const inForce = preparedOne('webhooks.pause', (db, given: Given<{ receiverId: string }>) =>
  db
    .select()
    .from(pause)
    .where(and(eq(pause.receiverId, given.receiverId), isNull(pause.resumedAt))),
);

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
  await putPause(tx, { receiverId, by, reason });
  await releaseIfDeliverable(tx, receiverId);
}

const putPause = prepared(
  'webhooks.pause-receiver',
  (db, given: Given<{ receiverId: string; by: PauseRow['pausedBy']; reason: string }>) =>
    db
      .insert(pause)
      .values({
        receiverId: given.receiverId,
        pausedAt: sql`now()`,
        pausedBy: given.by,
        reason: given.reason,
        resumedAt: null,
      })
      .onConflictDoUpdate({
        target: pause.receiverId,
        set: {
          pausedAt: sql`excluded.paused_at`,
          pausedBy: sql`excluded.paused_by`,
          reason: sql`excluded.reason`,
          resumedAt: null,
        },
      }),
);

/** Ends the pause of a locked receiver. Of what is held, the first part becomes due in the same transaction. */
export async function endPause(tx: Tx, receiverId: string): Promise<void> {
  await resume(tx, { receiverId });
  await releaseIfDeliverable(tx, receiverId);
}

const resume = prepared('webhooks.resume-receiver', (db, given: Given<{ receiverId: string }>) =>
  db.update(pause).set({ resumedAt: sql`now()` }).where(eq(pause.receiverId, given.receiverId)),
);

async function releaseIfDeliverable(tx: Tx, receiverId: string): Promise<void> {
  await ifDeliverable(tx, [receiverId]);
}

const ifDeliverable = preparedText(
  'webhooks.release-if-deliverable',
  'select webhooks.release_if_deliverable($1::uuid)',
  { writes: true },
);

/** What waits for an endpoint that was deleted is ended: the first part in this transaction. */
export async function endDeliveriesOf(tx: Tx, receiverId: string, limit: number): Promise<void> {
  await addReleasing(tx, { receiverId });
  await releaseHeldOf(tx, receiverId, limit);
}

const addReleasing = prepared('webhooks.add-releasing', (db, given: Given<{ receiverId: string }>) =>
  db.insert(release).values({ receiverId: given.receiverId }).onConflictDoNothing(),
);

/** Receivers that can be sent to again, or were deleted, and may still have held deliveries. */
export async function selectReleasing(db: Database, limit: number): Promise<string[]> {
  const rows = await db.select().from(release).limit(limit);
  return rows.map(({ receiverId }) => receiverId);
}

/** Makes up to `limit` held deliveries of a receiver due, the oldest first, and says how many. */
export async function releaseHeldOf(tx: Tx, receiverId: string, limit: number): Promise<number> {
  const [row] = await releaseHeld(tx, [receiverId, limit]);
  return row?.released ?? 0;
}

const releaseHeld = preparedText<{ released: number }>(
  'webhooks.release-held',
  'select webhooks.release_held($1::uuid, $2) as released',
  { writes: true },
);
