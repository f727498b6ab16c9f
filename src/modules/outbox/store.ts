import { and, count, desc, eq, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { matches, matchesDelivery, matchesEvent, type ScopedFilter } from './filter-store.ts';
import { attempt, delivery, event, receiver } from './tables.ts';

export type ReceiverRow = typeof receiver.$inferSelect;
export type AttemptRow = Omit<typeof attempt.$inferSelect, 'deliveryId'>;

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

/** Writes an event and answers the id of its delivery, undefined when its owner has no receiver. */
export async function insertEventAlone(
  tx: Tx,
  { ownerId, event: name, reference, body }: Omit<EmittedEvent, 'sequence'>,
): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    with told as (
      insert into ${event} (receiver_id, event, reference, body)
      select id, ${name}, ${reference}, ${body} from ${receiver} where owner_id = ${ownerId}
      returning id, receiver_id)
    insert into ${delivery} (event_id, receiver_id, due_at)
    select id, receiver_id, outbox.first_due(receiver_id) from told
    returning id`);
  return rows[0]?.id;
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

/** The second condition says nothing new; it lets the events of one receiver be read by their index. */
export const receives = and(eq(receiver.id, delivery.receiverId), eq(receiver.id, event.receiverId));

const deliveries = (db: Executor) =>
  db
    .select(deliveryColumns)
    .from(delivery)
    .innerJoin(event, eq(event.id, delivery.eventId))
    .innerJoin(receiver, receives)
    .$dynamic();

export type DeliveryRow = Awaited<ReturnType<typeof deliveries>>[number];

/** How many deliveries match. Events are read only when something is asked of them: there may be millions. */
async function countDeliveries(db: Executor, filter: ScopedFilter): Promise<number> {
  const counted = db.select({ count: count() }).from(delivery).$dynamic();
  const asksOfEvents = (filter.event ?? filter.from ?? filter.to) !== undefined;
  const withEvents = asksOfEvents ? counted.innerJoin(event, eq(event.id, delivery.eventId)) : counted;
  const [total] = await withEvents.where(and(matchesDelivery(filter), asksOfEvents ? matchesEvent(filter) : undefined));
  return total?.count ?? 0;
}

/** Newest first. `count` is of all that match. */
export async function selectDeliveries(
  db: Executor,
  filter: ScopedFilter,
  page: { limit: number; offset: number },
): Promise<{ items: DeliveryRow[]; count: number }> {
  const items = await deliveries(db)
    .where(matches(filter))
    .orderBy(desc(delivery.id))
    .limit(page.limit)
    .offset(page.offset);
  return { items, count: await countDeliveries(db, filter) };
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

/** Another delivery of the event of an earlier one, due at once; none of a purged one. The event is held: it is not purged meanwhile. */
export async function insertResend(tx: Tx, deliveryId: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    with held as materialized (
      select e.id, e.receiver_id from ${delivery} d join ${event} e on e.id = d.event_id
       where d.id = ${deliveryId} and e.body is not null for key share of e)
    insert into ${delivery} (event_id, receiver_id, due_at)
    select id, receiver_id, outbox.first_due(receiver_id) from held
    returning id`);
  return rows[0]?.id;
}
