import { and, desc, eq, gt, isNull, type SQLWrapper, sql } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import {
  COUNTED_MAX,
  type Listed,
  type PageRequest,
  type PlanRow,
  pageOfRows,
  pageOfWalk,
  rememberEstimate,
  rowsPlanned,
} from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { event, ownerOf, receiver } from '#modules/outbox';
import { type ReceiverFilter, selectEndpointIds, walkOf } from './delivery-filter-store.ts';
import { attempt, delivery } from './tables.ts';

export type AttemptRow = Omit<typeof attempt.$inferSelect, 'deliveryId'>;

const deliveryColumns = {
  id: delivery.id,
  eventId: event.id,
  event: event.event,
  reference: event.reference,
  ownerId: ownerOf(receiver),
  ownerKind: receiver.ownerKind,
  endpointId: receiver.id,
  status: delivery.status,
  /** The delivery that failed whose event it brings again by itself. */
  replayOf: delivery.replayOf,
  /** Attempts begun. */
  attempts: delivery.attempts,
  /** Of one that is leased: when the lease expires; null also while it waits for an earlier one of its lane. */
  dueAt: sql`greatest(nullif(${delivery.dueAt}, 'infinity'), ${delivery.leasedUntil})`.mapWith(delivery.dueAt),
  lastError: delivery.lastError,
  lastAttemptAt: delivery.lastAttemptAt,
  deliveredAt: delivery.deliveredAt,
  createdAt: delivery.createdAt,
  updatedAt: delivery.updatedAt,
};

export const isReceiver = eq(receiver.id, delivery.receiverId);

const deliveries = (db: Executor) =>
  db
    .select(deliveryColumns)
    .from(delivery)
    .innerJoin(event, eq(event.id, delivery.eventId))
    .innerJoin(receiver, isReceiver)
    .$dynamic();

export type DeliveryRow = Awaited<ReturnType<typeof deliveries>>[number];

const keyOf = ({ id }: DeliveryRow): string => id;

/** Newest first. `count` is of all that match. */
export async function selectDeliveries(
  db: Executor,
  filter: ReceiverFilter,
  page: PageRequest<string>,
): Promise<Listed<DeliveryRow, string>> {
  return pageOfWalk(db, walkOf(filter), page, {
    rows: (keys) => deliveries(db).where(sql`${delivery.id} in (${keys})`).orderBy(desc(delivery.id)),
    keyOf,
  });
}

/** Of a page without an offset at most, and one more. The number itself tells PostgreSQL to go by the index. */
const NEWEST_MAX = 101;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** All that an owner has or had, as `r`. */
const endpointsOf = (ownerId: SQLWrapper) => sql`(select r.id from ${receiver} r where r.owner_id = ${ownerId}
  union all select o.id from ${receiver} r join ${receiver} o on o.default_id = r.id where r.owner_id = ${ownerId}) r`;

// Of a receiver as a range, in the order of the index by receiver: an equation would let everybody's be walked by their ids, for
// a receiver that has few of them.
const selectNewest = prepared(
  'webhooks.newest-deliveries',
  (db, given: Given<{ ownerId: string; before: string; limit: number }>) =>
    deliveries(db)
      .where(
        sql`${delivery.id} in (
          select id from (select d.id from ${endpointsOf(given.ownerId)} cross join lateral (
              select d.id from ${delivery} d where (d.receiver_id, d.id) < (r.id, ${given.before}) and d.receiver_id >= r.id
              order by d.receiver_id desc, d.id desc limit ${sql.raw(String(NEWEST_MAX))}) d
            order by d.id desc limit ${sql.raw(String(NEWEST_MAX))}) newest
          limit ${given.limit})`,
      )
      .orderBy(desc(delivery.id)),
);

const countOfOwners = prepared('webhooks.count-deliveries', (db, given: Given<{ ownerIds: readonly string[] }>) =>
  db
    .select({
      ownerId: sql<string>`asked.id`,
      count: sql<number>`(select count(*)::int from (
        select 1 from ${endpointsOf(sql`asked.id`)} cross join lateral (
          select 1 from ${delivery} d where d.receiver_id between r.id and r.id
          order by d.receiver_id desc, d.id desc limit ${sql.raw(String(COUNTED_MAX + 1))}) d
        limit ${sql.raw(String(COUNTED_MAX + 1))}) counted)`,
    })
    .from(sql`unnest(${given.ownerIds}::uuid[]) asked (id)`),
);

/** What somebody has, up to one more than is counted. A caller who asks for several pages at once has it counted once. */
const countOfOwner = gathered<string, { ordinal: number; count: number }>(async (db, ownerIds) => {
  const rows = await countOfOwners(db, { ownerIds: [...new Set(ownerIds)] });
  const byOwner = new Map(rows.map((row) => [row.ownerId, row]));
  return placed(ownerIds, (id) => byOwner.get(id));
});

const planOfOwner = preparedText<PlanRow>(
  'webhooks.plan-of-owner',
  'explain (format json) select from webhooks.delivery where receiver_id = any($1::uuid[])',
);

/** All deliveries of an owner, newest first: at most a hundred from a cursor on. */
export async function selectNewestDeliveries(
  db: Executor,
  ownerId: string,
  { limit, cursor = LAST_ID }: Omit<PageRequest<string>, 'offset'>,
): Promise<Listed<DeliveryRow, string>> {
  const counting = rememberEstimate(db, `deliveries of ${ownerId}`, async () => {
    const counted = await countOfOwner(db, ownerId);
    const known = counted?.count ?? 0;
    if (known <= COUNTED_MAX) return { count: known, countIsExact: true };
    const all = rowsPlanned(await planOfOwner(db, [await selectEndpointIds(db, ownerId)]));
    return { count: Math.max(known, all), countIsExact: false };
  });
  const [rows, counted] = await Promise.all([
    selectNewest(db, { ownerId, before: cursor, limit: Math.min(limit + 1, NEWEST_MAX) }),
    counting,
  ]);
  return { ...pageOfRows(rows, limit, keyOf), ...counted };
}

/** Undefined when there is no such delivery. */
export const selectDelivery = (db: Executor, id: string): Promise<DeliveryRow | undefined> => byId(db, { id });

const byId = preparedOne('webhooks.delivery', (db, given: Given<{ id: string }>) =>
  deliveries(db).where(eq(delivery.id, given.id)),
);

/** The first delivery that was made with the event; undefined when nobody wanted it. */
export async function selectFirstDeliveryId(db: Executor, eventId: string): Promise<string | undefined> {
  return (await firstOfEvent(db, { eventId }))?.id;
}

const firstOfEvent = preparedOne('webhooks.first-delivery', (db, given: Given<{ eventId: string }>) =>
  db
    .select({ id: delivery.id })
    .from(delivery)
    .where(eq(delivery.eventId, given.eventId))
    .orderBy(delivery.id)
    .limit(1),
);

/** Those before the latest, then the latest, which stands in the delivery itself. Of a purged delivery there are none. */
export const selectAttempts = (db: Executor, deliveryId: string): Promise<AttemptRow[]> =>
  attemptsOf(db, { deliveryId });

const attemptsOf = prepared('webhooks.attempts', (db, given: Given<{ deliveryId: string }>) => {
  const { number, at, statusCode, durationMs, error, response, url } = attempt;
  const latest = {
    number: sql<number>`${delivery.attempts}`.as('number'),
    at: sql<Date>`${delivery.lastAttemptAt}`.mapWith(delivery.lastAttemptAt).as('at'),
    statusCode: delivery.lastStatusCode,
    durationMs: delivery.lastDurationMs,
    error: delivery.lastAttemptError,
    response: delivery.lastResponse,
    url: delivery.lastUrl,
  };
  return db
    .select({ number, at, statusCode, durationMs, error, response, url })
    .from(attempt)
    .where(eq(attempt.deliveryId, given.deliveryId))
    .unionAll(
      db
        .select(latest)
        .from(delivery)
        .where(and(eq(delivery.id, given.deliveryId), gt(delivery.attempts, 0), isNull(delivery.purgedAt))),
    )
    .orderBy(sql`1`);
});

/** Deliveries to the default endpoint of an owner of events about these records, in the order in which they were made. */
export const selectDeliveriesAbout = prepared(
  'webhooks.deliveries-about',
  (db, given: Given<{ ownerId: string; subjectIds: readonly string[] }>) =>
    db
      .select({
        id: delivery.id,
        event: event.event,
        reference: event.reference,
        subjectId: event.subjectId,
        /** Where the latest attempt went; before the first one, where its receiver is. */
        targetUrl: sql<string | null>`coalesce(${delivery.lastUrl}, ${receiver.url})`,
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
      // By its event: no index serves the second condition. Of a receiver with few deliveries a plan could begin with all of them.
      .innerJoin(
        delivery,
        and(eq(delivery.eventId, event.id), sql`${delivery.receiverId} is not distinct from ${receiver.id}`),
      )
      .where(and(eq(receiver.ownerId, given.ownerId), sql`${event.subjectId} = any(${given.subjectIds})`))
      .orderBy(delivery.id),
);

/** A delivery of an event about a record, and where its receiver is now; without a URL, null. */
export type DeliveryAbout = Awaited<ReturnType<typeof selectDeliveriesAbout>>[number];
