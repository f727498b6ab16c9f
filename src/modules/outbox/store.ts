import { eq, inArray, lte, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/prepared.ts';
import { event, receiver } from './tables.ts';

export type ReceiverRow = typeof receiver.$inferSelect;

/** Inserts a receiver. An owner has one at most: a second fails in the database. */
export async function insertReceiver(tx: Tx, values: typeof receiver.$inferInsert): Promise<ReceiverRow> {
  const [created] = await tx.insert(receiver).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

/** Undefined when the owner has no receiver. */
export const selectReceiver = (db: Executor, ownerId: string): Promise<ReceiverRow | undefined> =>
  byOwner(db, { ownerId });

const byOwner = preparedOne('outbox.receiver', (db, given: Given<{ ownerId: string }>) =>
  db.select().from(receiver).where(eq(receiver.ownerId, given.ownerId)),
);

/** The sealed client ids of owners that have a receiver. */
export async function selectClientIds(
  db: Executor,
  ownerIds: readonly string[],
): Promise<Pick<ReceiverRow, 'ownerId' | 'clientIdSealed'>[]> {
  return clientIds(db, { ownerIds });
}

const clientIds = prepared('outbox.client-ids', (db, given: Given<{ ownerIds: readonly string[] }>) =>
  db
    .select({ ownerId: receiver.ownerId, clientIdSealed: receiver.clientIdSealed })
    .from(receiver)
    .where(sql`${receiver.ownerId} = any(${given.ownerIds})`),
);

/** Locked against other changes; events go on being written meanwhile. */
export const selectReceiverLocked = (tx: Tx, ownerId: string): Promise<ReceiverRow | undefined> =>
  lockByOwner(tx, { ownerId });

const lockByOwner = preparedOne('outbox.lock-receiver', (db, given: Given<{ ownerId: string }>) =>
  db.select().from(receiver).where(eq(receiver.ownerId, given.ownerId)).for('no key update'),
);

/** Undefined when the owner has no receiver. */
export async function setReceiverUrl(tx: Tx, ownerId: string, url: string | null): Promise<ReceiverRow | undefined> {
  const changed = { url, updatedAt: sql`now()` };
  const [updated] = await tx.update(receiver).set(changed).where(eq(receiver.ownerId, ownerId)).returning();
  return updated;
}

type Secrets = Pick<ReceiverRow, 'secretSealed' | 'secretRotatedAt' | 'previousSecretSealed' | 'previousSecretUntil'>;

/** Replaces the secrets of a receiver that the transaction has locked. */
export async function setReceiverSecret(tx: Tx, id: string, secrets: Secrets): Promise<ReceiverRow> {
  const changed = { ...secrets, updatedAt: sql`now()` };
  const [updated] = await tx.update(receiver).set(changed).where(eq(receiver.id, id)).returning();
  if (updated === undefined) throw new Error('a locked receiver is gone');
  return updated;
}

/** Deletes the secrets before a rotation that have stopped signing by `now`. */
export async function deletePreviousSecrets(db: Executor, now: Date): Promise<void> {
  const cleared = { previousSecretSealed: null, previousSecretUntil: null };
  await db.update(receiver).set(cleared).where(lte(receiver.previousSecretUntil, now));
}

export interface NewEvent {
  ownerId: string;
  /** Its name, e.g. `wallet.credited`. */
  event: string;
  reference: string;
  /** The id of the record that it is about, for those who ask for its deliveries by that. */
  subjectId?: string | undefined;
  /** What is signed and sent, byte for byte. */
  body: string;
}

/** Undefined when the owner has no receiver: then nothing is written. */
export async function insertEvent(
  tx: Tx,
  { ownerId, event: name, reference, body, subjectId }: NewEvent,
): Promise<string | undefined> {
  const [row] = await emitEvent(tx, [ownerId, name, reference, body, subjectId ?? null]);
  return row?.id ?? undefined;
}

const emitEvent = preparedText<{ id: string | null }>(
  'outbox.emit',
  'select outbox.emit($1::uuid, $2, $3, $4, $5::uuid) as id',
  { writes: true },
);

/** Forgets what these events said. They stay as the record that they were written. */
export async function deleteEventBodies(tx: Tx, eventIds: string[]): Promise<void> {
  const bodyDigest = sql`coalesce(sha256(convert_to(${event.body}, 'UTF8')), ${event.bodyDigest})`;
  await tx.update(event).set({ body: null, bodyDigest }).where(inArray(event.id, eventIds));
}
