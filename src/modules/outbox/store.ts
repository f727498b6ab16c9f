import { eq, inArray, sql } from '#drizzle';
import type { PgUpdateSetSource } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import { type Given, prepared, preparedText } from '#lib/prepared.ts';
import { event, receiver } from './tables.ts';

export type ReceiverRow = typeof receiver.$inferSelect;

/** Inserts the default endpoint of an owner: a second one fails in the database. */
export async function insertReceiver(tx: Tx, values: typeof receiver.$inferInsert): Promise<ReceiverRow> {
  const [created] = await tx.insert(receiver).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

/** The sealed client ids of owners that have a receiver. */
export async function selectClientIds(
  db: Executor,
  ownerIds: readonly string[],
): Promise<{ ownerId: string; clientIdSealed: Buffer }[]> {
  return clientIds(db, { ownerIds });
}

const clientIds = prepared('outbox.client-ids', (db, given: Given<{ ownerIds: readonly string[] }>) =>
  db
    .select({ ownerId: sql<string>`${receiver.ownerId}`, clientIdSealed: receiver.clientIdSealed })
    .from(receiver)
    .where(sql`${receiver.ownerId} = any(${given.ownerIds})`),
);

/** Of the default endpoint. Undefined when the owner has no receiver. */
export async function setReceiverUrl(tx: Tx, ownerId: string, url: string | null): Promise<{ id: string } | undefined> {
  const changed = { url, updatedAt: sql`now()` };
  const ofOwner = eq(receiver.ownerId, ownerId);
  const [updated] = await tx.update(receiver).set(changed).where(ofOwner).returning({ id: receiver.id });
  return updated;
}

/** Changes a receiver that the transaction has locked. */
export async function updateReceiver(
  tx: Tx,
  id: string,
  values: PgUpdateSetSource<typeof receiver>,
): Promise<ReceiverRow> {
  const changed = { ...values, updatedAt: sql`now()` };
  const [updated] = await tx.update(receiver).set(changed).where(eq(receiver.id, id)).returning();
  if (updated === undefined) throw new Error('a locked receiver is gone');
  return updated;
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

const emitEventTo = preparedText<{ id: string }>(
  'outbox.emit-to',
  'select outbox.emit_to($1::uuid, $2, $3, $4) as id',
  {
    writes: true,
  },
);

/** Writes an event for one endpoint. */
export async function insertEventTo(
  tx: Tx,
  { endpointId, event: name, reference, body }: Omit<NewEvent, 'ownerId' | 'subjectId'> & { endpointId: string },
): Promise<string> {
  const [row] = await emitEventTo(tx, [endpointId, name, reference, body]);
  if (row === undefined) throw new Error('an insert returned nothing');
  return row.id;
}

/** Forgets what these events said. They stay as the record that they were written. */
export async function deleteEventBodies(tx: Tx, eventIds: string[]): Promise<void> {
  const bodyDigest = sql`coalesce(sha256(convert_to(${event.body}, 'UTF8')), ${event.bodyDigest})`;
  await tx.update(event).set({ body: null, bodyDigest }).where(inArray(event.id, eventIds));
}
