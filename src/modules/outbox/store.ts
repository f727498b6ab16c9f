import { eq, inArray, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedColumns, preparedText, type Written } from '#lib/postgres/prepared.ts';
import { event, receiver } from './tables.ts';

export type ReceiverRow = typeof receiver.$inferSelect;

/** Inserts the default endpoint of an owner: a second one fails in the database. */
export async function insertReceiver(tx: Tx, values: typeof receiver.$inferInsert): Promise<ReceiverRow> {
  const [created] = await addReceiver(tx, values, {});
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

const addReceiver = preparedColumns(
  'outbox.add-receiver',
  receiver,
  (db, written: Written<typeof receiver.$inferInsert>) => db.insert(receiver).values(written).returning(),
);

/** The sealed client ids of owners that have a receiver. */
export async function selectClientIds(
  db: Executor,
  ownerIds: readonly string[],
): Promise<{ ownerId: string; id: string; clientIdSealed: Buffer }[]> {
  return clientIds(db, { ownerIds });
}

const clientIds = prepared('outbox.client-ids', (db, given: Given<{ ownerIds: readonly string[] }>) =>
  db
    .select({ ownerId: sql<string>`${receiver.ownerId}`, id: receiver.id, clientIdSealed: receiver.clientIdSealed })
    .from(receiver)
    .where(sql`${receiver.ownerId} = any(${given.ownerIds})`),
);

/** Where a receiver is from now on, and which events it is told, with the MAC of that: what the server may write in no other way. */
export async function routeReceiver(
  tx: Tx,
  { id, url, events, routingMac }: Pick<ReceiverRow, 'id' | 'url' | 'events' | 'routingMac'>,
): Promise<void> {
  await route(tx, [id, url, events, routingMac]);
}

const route = preparedText('outbox.route-receiver', 'select outbox.route_receiver($1::uuid, $2, $3::text[], $4)', {
  writes: true,
});

/** What is changed of a receiver besides its route. */
type ChangedReceiver = Omit<
  Partial<typeof receiver.$inferInsert>,
  'id' | 'ownerId' | 'ownerKind' | 'defaultId' | 'url' | 'events' | 'routingMac' | 'eventsFrom' | 'updatedAt'
>;

/** Changes a receiver that the transaction has locked: what is left out stays. */
export async function updateReceiver(tx: Tx, id: string, values: ChangedReceiver): Promise<ReceiverRow> {
  const [updated] = await changeReceiver(tx, values, { id });
  if (updated === undefined) throw new Error('a locked receiver is gone');
  return updated;
}

/** By then every transaction has ended that did not see the change. */
export const IN_FORCE = sql`now() + interval '1 minute'`;

const changeReceiver = preparedColumns(
  'outbox.change-receiver',
  receiver,
  (db, written: Written<ChangedReceiver>, given: Given<{ id: string }>) =>
    db
      .update(receiver)
      .set({ ...written, updatedAt: sql`now()` })
      .where(eq(receiver.id, given.id))
      .returning(),
);

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
