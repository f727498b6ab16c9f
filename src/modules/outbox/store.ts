import { eq, inArray, lte, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { event, receiver } from './tables.ts';

export type ReceiverRow = typeof receiver.$inferSelect;

/** Inserts a receiver. An owner has one at most: a second fails in the database. */
export async function insertReceiver(tx: Tx, values: typeof receiver.$inferInsert): Promise<ReceiverRow> {
  const [created] = await tx.insert(receiver).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

/** Undefined when the owner has no receiver. */
export async function selectReceiver(db: Executor, ownerId: string): Promise<ReceiverRow | undefined> {
  const [found] = await db.select().from(receiver).where(eq(receiver.ownerId, ownerId));
  return found;
}

/** The sealed client ids of owners that have a receiver. */
export async function selectClientIds(
  db: Executor,
  ownerIds: readonly string[],
): Promise<Pick<ReceiverRow, 'ownerId' | 'clientIdSealed'>[]> {
  return db
    .select({ ownerId: receiver.ownerId, clientIdSealed: receiver.clientIdSealed })
    .from(receiver)
    .where(inArray(receiver.ownerId, [...ownerIds]));
}

/** Locked against other changes; events go on being written meanwhile. */
export async function selectReceiverLocked(tx: Tx, ownerId: string): Promise<ReceiverRow | undefined> {
  const [found] = await tx.select().from(receiver).where(eq(receiver.ownerId, ownerId)).for('no key update');
  return found;
}

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
  const { rows } = await tx.execute<{ id: string | null }>(
    sql`select outbox.emit(${ownerId}::uuid, ${name}, ${reference}, ${body}, ${subjectId ?? null}::uuid) as id`,
  );
  return rows[0]?.id ?? undefined;
}

/** Forgets what these events said. They stay as the record that they were written. */
export async function deleteEventBodies(tx: Tx, eventIds: string[]): Promise<void> {
  const bodyDigest = sql`coalesce(sha256(convert_to(${event.body}, 'UTF8')), ${event.bodyDigest})`;
  await tx.update(event).set({ body: null, bodyDigest }).where(inArray(event.id, eventIds));
}
