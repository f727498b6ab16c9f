import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { Executor, Tx } from '../../lib/database.ts';
import { attempt, delivery, event, receiver } from './tables.ts';

export type ReceiverRow = typeof receiver.$inferSelect;
export type AttemptRow = Omit<typeof attempt.$inferSelect, 'deliveryId'>;
export type DeliveryStatus = (typeof delivery.$inferSelect)['status'];

export async function insertReceiver(tx: Tx, values: typeof receiver.$inferInsert): Promise<ReceiverRow> {
  const [created] = await tx.insert(receiver).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

export async function setReceiverUrl(tx: Tx, ownerId: string, url: string | null): Promise<ReceiverRow | undefined> {
  const changed = { url, updatedAt: sql`now()` };
  const [updated] = await tx.update(receiver).set(changed).where(eq(receiver.ownerId, ownerId)).returning();
  return updated;
}

export async function selectReceiver(db: Executor, ownerId: string): Promise<ReceiverRow | undefined> {
  const [found] = await db.select().from(receiver).where(eq(receiver.ownerId, ownerId));
  return found;
}

export interface EmittedEvent {
  ownerId: string;
  event: string;
  reference: string;
  body: string;
  sequence?: number | undefined;
}

export async function insertEvent(tx: Tx, { ownerId, event: name, reference, body, sequence }: EmittedEvent) {
  const position = sequence ?? null;
  await tx.execute(sql`select outbox.emit(${ownerId}::uuid, ${name}, ${reference}, ${body}, ${position}::bigint)`);
}

const deliveryColumns = {
  id: delivery.id,
  eventId: event.id,
  event: event.event,
  reference: event.reference,
  ownerId: receiver.ownerId,
  ownerKind: receiver.ownerKind,
  receiverId: receiver.id,
  status: delivery.status,
  /** Attempts begun. */
  attempts: delivery.attempts,
  dueAt: delivery.dueAt,
  lastError: delivery.lastError,
  lastAttemptAt: delivery.lastAttemptAt,
  deliveredAt: delivery.deliveredAt,
  createdAt: delivery.createdAt,
  updatedAt: delivery.updatedAt,
};

const deliveries = (db: Executor) =>
  db
    .select(deliveryColumns)
    .from(delivery)
    .innerJoin(event, eq(event.id, delivery.eventId))
    .innerJoin(receiver, eq(receiver.id, delivery.receiverId))
    .$dynamic();

export type DeliveryRow = Awaited<ReturnType<typeof deliveries>>[number];

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  /** The event's name. */
  event?: string | undefined;
}

const owned = (ownerKind: ReceiverRow['ownerKind'], ownerId: string | undefined) =>
  ownerId === undefined ? undefined : and(eq(receiver.ownerKind, ownerKind), eq(receiver.ownerId, ownerId));

/** Newest first. `count` is of all that match. */
export async function selectDeliveries(
  db: Executor,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ items: DeliveryRow[]; count: number }> {
  const matching = and(
    filter.status && eq(delivery.status, filter.status),
    filter.event === undefined ? undefined : eq(event.event, filter.event),
    owned('PARTNER', filter.partnerId),
    owned('APPLICATION', filter.applicationId),
  );
  const items = await deliveries(db).where(matching).orderBy(desc(delivery.id)).limit(page.limit).offset(page.offset);
  const [total] = await db
    .select({ count: count() })
    .from(delivery)
    .innerJoin(event, eq(event.id, delivery.eventId))
    .innerJoin(receiver, eq(receiver.id, delivery.receiverId))
    .where(matching);
  return { items, count: total?.count ?? 0 };
}

export async function selectDelivery(db: Executor, id: string): Promise<DeliveryRow | undefined> {
  const [found] = await deliveries(db).where(eq(delivery.id, id));
  return found;
}

export async function selectAttempts(db: Executor, deliveryId: string): Promise<AttemptRow[]> {
  const { number, at, statusCode, durationMs, error, response } = attempt;
  const columns = { number, at, statusCode, durationMs, error, response };
  return db.select(columns).from(attempt).where(eq(attempt.deliveryId, deliveryId)).orderBy(attempt.number);
}

/** Another delivery of the event of an earlier one, due at once. */
export async function insertResend(tx: Tx, deliveryId: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into ${delivery} (event_id, receiver_id, due_at)
    select event_id, receiver_id, outbox.first_due(receiver_id) from ${delivery} where id = ${deliveryId}
    returning id`);
  return rows[0]?.id;
}
