import { and, count, desc, eq, gt, inArray, isNull, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { event, receiver } from '#modules/outbox';
import { matches, matchesDelivery, matchesEvent, type ReceiverFilter } from './delivery-filter-store.ts';
import { attempt, delivery } from './tables.ts';

export type AttemptRow = Omit<typeof attempt.$inferSelect, 'deliveryId'>;

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
  /** Of one that is leased: when the lease expires. */
  dueAt: sql`greatest(${delivery.dueAt}, ${delivery.leasedUntil})`.mapWith(delivery.dueAt),
  lastError: delivery.lastError,
  lastAttemptAt: delivery.lastAttemptAt,
  deliveredAt: delivery.deliveredAt,
  createdAt: delivery.createdAt,
  updatedAt: delivery.updatedAt,
};

/** The second condition says nothing new; it lets the events of one receiver be read by their index. */
export const isReceiver = and(eq(receiver.id, delivery.receiverId), eq(receiver.id, event.receiverId));

const deliveries = (db: Executor) =>
  db
    .select(deliveryColumns)
    .from(delivery)
    .innerJoin(event, eq(event.id, delivery.eventId))
    .innerJoin(receiver, isReceiver)
    .$dynamic();

export type DeliveryRow = Awaited<ReturnType<typeof deliveries>>[number];

/** How many deliveries match. Events are read only when the filter asks something of them: there may be millions. */
async function countDeliveries(db: Executor, filter: ReceiverFilter): Promise<number> {
  const counted = db.select({ count: count() }).from(delivery).$dynamic();
  const asksOfEvents = (filter.event ?? filter.from ?? filter.to) !== undefined;
  const withEvents = asksOfEvents ? counted.innerJoin(event, eq(event.id, delivery.eventId)) : counted;
  const [total] = await withEvents.where(and(matchesDelivery(filter), asksOfEvents ? matchesEvent(filter) : undefined));
  return total?.count ?? 0;
}

/** Newest first. `count` is of all that match. */
export async function selectDeliveries(
  db: Executor,
  filter: ReceiverFilter,
  page: { limit: number; offset: number },
): Promise<{ items: DeliveryRow[]; count: number }> {
  const items = await deliveries(db)
    .where(matches(filter))
    .orderBy(desc(delivery.id))
    .limit(page.limit)
    .offset(page.offset);
  return { items, count: await countDeliveries(db, filter) };
}

/** Undefined when there is no such delivery. */
export async function selectDelivery(db: Executor, id: string): Promise<DeliveryRow | undefined> {
  const [found] = await deliveries(db).where(eq(delivery.id, id));
  return found;
}

/** The delivery that was made with the event. */
export async function selectFirstDeliveryId(db: Executor, eventId: string): Promise<string> {
  const ofEvent = eq(delivery.eventId, eventId);
  const [first] = await db.select({ id: delivery.id }).from(delivery).where(ofEvent).orderBy(delivery.id).limit(1);
  if (first === undefined) throw new Error('an event has no delivery');
  return first.id;
}

/** Those before the latest, then the latest, which stands in the delivery itself. Of a purged delivery there are none. */
export async function selectAttempts(db: Executor, deliveryId: string): Promise<AttemptRow[]> {
  const { number, at, statusCode, durationMs, error, response } = attempt;
  const latest = {
    number: sql<number>`${delivery.attempts}`.as('number'),
    at: sql<Date>`${delivery.lastAttemptAt}`.mapWith(delivery.lastAttemptAt).as('at'),
    statusCode: delivery.lastStatusCode,
    durationMs: delivery.lastDurationMs,
    error: delivery.lastAttemptError,
    response: delivery.lastResponse,
  };
  return db
    .select({ number, at, statusCode, durationMs, error, response })
    .from(attempt)
    .where(eq(attempt.deliveryId, deliveryId))
    .unionAll(
      db
        .select(latest)
        .from(delivery)
        .where(and(eq(delivery.id, deliveryId), gt(delivery.attempts, 0), isNull(delivery.purgedAt))),
    )
    .orderBy(sql`1`);
}

/** Deliveries to one owner of events about these records, in the order in which they were made. */
export async function selectDeliveriesAbout(db: Executor, ownerId: string, subjectIds: readonly string[]) {
  return db
    .select({
      id: delivery.id,
      event: event.event,
      reference: event.reference,
      subjectId: event.subjectId,
      targetUrl: receiver.url,
      status: delivery.status,
      /** Attempts begun. */
      attempts: delivery.attempts,
      lastError: delivery.lastError,
      lastAttemptAt: delivery.lastAttemptAt,
      deliveredAt: delivery.deliveredAt,
      createdAt: delivery.createdAt,
      updatedAt: delivery.updatedAt,
    })
    .from(receiver)
    .innerJoin(event, eq(event.receiverId, receiver.id))
    .innerJoin(delivery, eq(delivery.eventId, event.id))
    .where(and(eq(receiver.ownerId, ownerId), inArray(event.subjectId, [...subjectIds])))
    .orderBy(delivery.id);
}
