import { and, type Column, desc, eq, gt, gte, isNull, like, lt, type SQL, type SQLWrapper, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
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
  type Walk,
} from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { event, ownerOf, receiver } from '#modules/outbox';
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
  /** The failed delivery that this one repeats automatically. */
  replayOf: delivery.replayOf,
  /** Attempts begun. */
  attempts: delivery.attempts,
  /** While leased: when the lease ends. Null also while parked behind an earlier delivery of its lane. */
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

/** Newest first. `count` counts all matches. */
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

/** The largest page without an offset, and one more. As a literal, so that the planner chooses the index. */
const NEWEST_MAX = 101;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** All present and deleted endpoints of an owner, as `r`. */
const endpointsOf = (ownerId: SQLWrapper) => sql`(select r.id from ${receiver} r where r.owner_id = ${ownerId}
  union all select o.id from ${receiver} r join ${receiver} o on o.default_id = r.id where r.owner_id = ${ownerId}) r`;

// The receiver as a range, in the order of the index by receiver: with an equation the planner may walk all deliveries by id
// for a receiver that has few.
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

/** The deliveries of an owner, up to COUNTED_MAX + 1. Concurrent pages of one owner share a count. */
const countOfOwner = gathered<string, { ordinal: number; count: number }>(async (db, ownerIds) => {
  const rows = await countOfOwners(db, { ownerIds: [...new Set(ownerIds)] });
  const byOwner = new Map(rows.map((row) => [row.ownerId, row]));
  return placed(ownerIds, (id) => byOwner.get(id));
});

const planOfOwner = preparedText<PlanRow>(
  'webhooks.plan-of-owner',
  'explain (format json) select from webhooks.delivery where receiver_id = any($1::uuid[])',
);

/** All deliveries of an owner, newest first, at most a hundred from the cursor. */
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

export const selectDelivery = (db: Executor, id: string): Promise<DeliveryRow | undefined> => byId(db, { id });

const byId = preparedOne('webhooks.delivery', (db, given: Given<{ id: string }>) =>
  deliveries(db).where(eq(delivery.id, given.id)),
);

/** The first delivery of the event; undefined if no endpoint wanted it. */
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

/** Earlier attempts, then the latest one, which is in the delivery itself. None of a purged delivery. */
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

export interface DeliveryFilter {
  status?: (typeof delivery.$inferSelect)['status'] | undefined;
  /** Of those that are PENDING. DUE: to be sent, now or again later. HELD: they wait for their receiver. */
  waiting?: 'DUE' | 'HELD' | undefined;
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  /** One endpoint of theirs. */
  endpointId?: string | undefined;
  /** The event's name. */
  event?: string | undefined;
  /** What `lastError` says; `status 5xx` and its like stand for every such status. */
  error?: string | undefined;
  /** From this moment on, and before that one: when the delivery was made, and for a replay when its event was. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The same with receivers in place of their owner; undefined for all. */
export interface ReceiverFilter extends Omit<DeliveryFilter, 'partnerId' | 'applicationId' | 'endpointId'> {
  receiverIds?: readonly string[] | undefined;
  /** To whom their events were written. It says nothing new; it lets the events of one owner be read by their index. */
  eventsOf?: readonly string[] | undefined;
}

/** One receiver by an equation, so that its index is walked in order. */
export const isOneOf = (ids: readonly string[], column: Column = delivery.receiverId): SQL => {
  const [only] = ids;
  return ids.length === 1 && only !== undefined ? eq(column, only) : sql`${column} = any(${sql.param(ids)}::uuid[])`;
};

const where = <Value>(value: Value | undefined, condition: (value: Value) => SQL | undefined) =>
  value === undefined ? undefined : condition(value);

const defaultEndpoint = alias(receiver, 'default_endpoint');

/** The ids of all present and deleted endpoints of owners. */
const idsOf = (db: Executor, isOwner: (of: typeof receiver | typeof defaultEndpoint) => SQL | undefined) =>
  db
    .select({ id: receiver.id })
    .from(receiver)
    .where(isOwner(receiver))
    .unionAll(
      db
        .select({ id: receiver.id })
        .from(receiver)
        .innerJoin(defaultEndpoint, eq(defaultEndpoint.id, receiver.defaultId))
        .where(isOwner(defaultEndpoint)),
    );

const ofOwner = prepared('webhooks.endpoint-ids', (db, given: Given<{ ownerId: string }>) =>
  idsOf(db, (of) => eq(of.ownerId, given.ownerId)),
);

const ofOwnerOfKind = prepared(
  'webhooks.endpoint-ids-of-kind',
  (db, given: Given<{ ownerId: string; ownerKind: 'PARTNER' | 'APPLICATION' }>) =>
    idsOf(db, (of) => and(eq(of.ownerKind, given.ownerKind), eq(of.ownerId, given.ownerId))),
);

const toIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** All present and deleted endpoints of an owner. */
const selectEndpointIds = async (db: Executor, ownerId: string): Promise<string[]> =>
  toIds(await ofOwner(db, { ownerId }));

/** All present and deleted endpoints of a partner or application; undefined without an owner. */
export async function selectEndpointIdsOf(
  db: Executor,
  { partnerId, applicationId }: { partnerId?: string | undefined; applicationId?: string | undefined },
): Promise<string[] | undefined> {
  if (partnerId !== undefined && applicationId !== undefined) return []; // no endpoint belongs to both
  if (partnerId !== undefined) return toIds(await ofOwnerOfKind(db, { ownerId: partnerId, ownerKind: 'PARTNER' }));
  if (applicationId === undefined) return undefined;
  return toIds(await ofOwnerOfKind(db, { ownerId: applicationId, ownerKind: 'APPLICATION' }));
}

/**
 * Looks up the receivers of the owner first, so that the planner knows how many deliveries they have: otherwise it may read all
 * deliveries for a partner that has few.
 */
export async function ofReceiver(
  db: Executor,
  { partnerId, applicationId, endpointId, ...filter }: DeliveryFilter,
): Promise<ReceiverFilter> {
  const named = endpointId === undefined ? undefined : [endpointId];
  const ids = await selectEndpointIdsOf(db, { partnerId, applicationId });
  if (ids === undefined) return { ...filter, receiverIds: named };
  return { ...filter, receiverIds: named === undefined ? ids : ids.filter((id) => named.includes(id)), eventsOf: ids };
}

/** `status 5xx` matches every status of that class. */
const matchesError = (lastError: Column, error: string): SQL | undefined =>
  /^status [1-5]xx$/.test(error) ? like(lastError, error.replace('xx', '__')) : eq(lastError, error);

/** The filter on deliveries joined with their events. Times are the event's. */
export const matches = (filter: ReceiverFilter): SQL | undefined =>
  and(
    where(filter.receiverIds, (ids) => isOneOf(ids)),
    where(filter.eventsOf, (ids) => isOneOf(ids, event.receiverId)),
    where(filter.status, (status) => eq(delivery.status, status)),
    where(filter.error, (error) => matchesError(delivery.lastError, error)),
    where(filter.event, (name) => eq(event.event, name)),
    where(filter.from, (from) => gte(event.createdAt, from)),
    where(filter.to, (to) => lt(event.createdAt, to)),
  );

/** A delivery in the walk of a list. */
const row = alias(delivery, 'd');

const pendingIs = {
  DUE: sql`${row.status} = 'PENDING' and ${row.dueAt} is not null`,
  HELD: sql`${row.status} = 'PENDING' and ${row.dueAt} is null`,
} as const;

/** Longer than any transaction: the id of a row is created within this time of its `created_at`. */
const TRANSACTION_MAX_MS = 60_000;

/** The smallest UUIDv7 of a moment. */
function idAt(moment: Date, shiftMs: number): string {
  const ms = Math.max(0, moment.getTime() + shiftMs);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** The smallest id that a delivery with this `created_at` or later can have. */
export const leastIdSince = (moment: Date): string => idAt(moment, -TRANSACTION_MAX_MS);

/**
 * Matching deliveries, newest first. Times are the delivery's own; its id holds them too, which bounds the walk. FAILED ones have
 * an index and PENDING ones two; other filters are checked row by row.
 */
function walkOf(filter: ReceiverFilter): Walk {
  const { receiverIds, status, waiting, error, event: name, from, to } = filter;
  return {
    name: 'deliveries',
    filter,
    table: delivery,
    row,
    key: row.id,
    within: and(
      where(receiverIds, (ids) => isOneOf(ids, row.receiverId)),
      status === 'FAILED' ? sql`${row.status} = 'FAILED'` : undefined,
      where(waiting, (how) => pendingIs[how]),
      from && gte(row.id, leastIdSince(from)),
      to && lt(row.id, idAt(to, TRANSACTION_MAX_MS)),
    ),
    ...(status === 'PENDING' && waiting === undefined ? { withinOneOf: [pendingIs.DUE, pendingIs.HELD] } : {}),
    matches: and(
      status === 'DELIVERED' ? eq(row.status, status) : undefined,
      where(error, (text) => matchesError(row.lastError, text)),
      // A subquery for each row: a join could read the whole table.
      where(name, (text) => sql`(select ${event.event} from ${event} where ${event.id} = ${row.eventId}) = ${text}`),
      from && gte(row.createdAt, from),
      to && lt(row.createdAt, to),
    ),
  };
}

/** A delivery of an event about a record. */
export interface DeliveryAbout {
  id: string;
  event: string;
  reference: string;
  subjectId: string;
  /** The URL of the latest attempt; before the first one, the receiver's. */
  targetUrl: string | null;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** Attempts begun. */
  attempts: number;
  lastError: string | null;
  lastAttemptAt: Date | null;
  deliveredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

type AboutRow = DeliveryAbout & { ordinal: number } & Record<string, unknown>;

const selectAboutEach = preparedText<AboutRow>(
  'webhooks.deliveries-about-each',
  `select asked.ordinal::int, d.*
     from unnest($1::uuid[], $2::uuid[]) with ordinality asked (owner, subject, ordinal)
     cross join lateral (
       select d.id, e.event, e.reference, e.subject_id as "subjectId", coalesce(d.last_url, r.url) as "targetUrl", d.status, d.attempts,
              d.last_error as "lastError", d.last_attempt_at as "lastAttemptAt", d.delivered_at as "deliveredAt",
              d.created_at as "createdAt", d.updated_at as "updatedAt"
         from outbox.receiver r
         join outbox.event e on e.receiver_id = r.id and e.subject_id = asked.subject
         join webhooks.delivery d on d.event_id = e.id and d.receiver_id is not distinct from r.id
        where r.owner_id = asked.owner
        order by d.id offset 0) d
    order by asked.ordinal, d.id`,
);

/** Deliveries to the default endpoint of an owner of events about these records: those of each record in order of creation. */
export const selectDeliveriesAbout = async (
  db: Executor,
  { ownerId, subjectIds }: { ownerId: string; subjectIds: readonly string[] },
): Promise<DeliveryAbout[]> =>
  withoutOrdinal(await selectAboutEach(db, [subjectIds.map(() => ownerId), [...subjectIds]]));

/** The same for one record. Concurrent callers share a statement. */
export const selectDeliveriesAboutOne = gathered<
  { ownerId: string; subjectId: string },
  { ordinal: number; deliveries: DeliveryAbout[] }
>(async (db, asked) => {
  const found = await selectAboutEach(db, [
    asked.map(({ ownerId }) => ownerId),
    asked.map(({ subjectId }) => subjectId),
  ]);
  const byOrdinal = Map.groupBy(found, ({ ordinal }) => ordinal);
  return [...byOrdinal].map(([ordinal, rows]) => ({ ordinal, deliveries: withoutOrdinal(rows) }));
});

const withoutOrdinal = (rows: readonly AboutRow[]): DeliveryAbout[] => rows.map(({ ordinal: _ordinal, ...one }) => one);

/** The body of a delivery of this owner, and the keys that sign it. */
export const selectRequest = preparedOne(
  'webhooks.request',
  (db, given: Given<{ deliveryId: string; ownerId: string }>) =>
    db
      .select({
        eventId: event.id,
        body: event.body,
        sequence: event.sequence,
        lastAttemptAt: delivery.lastAttemptAt,
        traceparent: delivery.traceparent,
        headerNames: receiver.headerNames,
        id: receiver.id,
        clientIdSealed: receiver.clientIdSealed,
        secretSealed: receiver.secretSealed,
        previousSecretSealed: receiver.previousSecretSealed,
        previousSecretUntil: receiver.previousSecretUntil,
      })
      .from(delivery)
      .innerJoin(event, eq(event.id, delivery.eventId))
      .innerJoin(receiver, isReceiver)
      .where(and(eq(delivery.id, given.deliveryId), eq(ownerOf(receiver), given.ownerId))),
);

/** An event by owner, reference and time of writing. */
export interface EventQuery {
  ownerId: string;
  reference: string;
  /** For a wallet's event: its position in the wallet's history. */
  sequence?: number | undefined;
  since: Date;
  until: Date;
}

/** An event with one of its deliveries, or with none. */
interface EventRow {
  eventId: string;
  event: string;
  reference: string;
  ownerId: string;
  writtenAt: Date;
  id: string | null;
  endpointId: string | null;
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | null;
  attempts: number | null;
  lastError: string | null;
  lastAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/** A delivery of an event to one endpoint. */
interface EventDelivery {
  id: string;
  endpointId: string;
  status: NonNullable<EventRow['status']>;
  /** Attempts begun. */
  attempts: number;
  lastError: string | undefined;
  lastAttemptAt: Date | undefined;
  deliveredAt: Date | undefined;
}

/** An event and its deliveries. */
export interface DeliveredEvent extends Pick<EventRow, 'event' | 'reference' | 'ownerId' | 'writtenAt'> {
  id: string;
  /** Including resends and replays, the first one first. */
  deliveries: EventDelivery[];
}

const COLUMNS = `e.id as "eventId", e.event, e.reference, asked.owner as "ownerId", e.created_at as "writtenAt", d.id,
  d.receiver_id as "endpointId", d.status, d.attempts, d.last_error as "lastError", d.last_attempt_at as "lastAttemptAt",
  d.delivered_at as "deliveredAt"`;

/** An event may have many resends. */
const ENDS = 'left join webhooks.delivery d on d.event_id = e.id order by e.created_at, e.id, d.id limit 500';

const selectQueried = preparedText<EventRow & Record<string, unknown>>(
  'webhooks.events-queried',
  `select ${COLUMNS}
     from unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
       asked (owner, reference, sequence, since, until)
     cross join lateral (
       select e.* from outbox.receiver r join outbox.event e on e.receiver_id = r.id
        where r.owner_id = asked.owner and e.created_at between asked.since and asked.until
          and e.reference = asked.reference and (asked.sequence is null or e.sequence = asked.sequence)
        order by e.created_at desc limit 1) e
     ${ENDS}`,
);

const selectAbout = preparedText<EventRow & Record<string, unknown>>(
  'webhooks.events-about',
  `select ${COLUMNS}
     from unnest($1::uuid[]) asked (owner)
     join outbox.receiver r on r.owner_id = asked.owner
     join outbox.event e on e.receiver_id = r.id and e.subject_id = $2::uuid
     ${ENDS}`,
);

/** Those of the queried events that were written, in their order. */
export async function findEvents(db: Executor, asked: readonly EventQuery[]): Promise<DeliveredEvent[]> {
  if (asked.length === 0) return [];
  const rows = await selectQueried(db, [
    asked.map(({ ownerId }) => ownerId),
    asked.map(({ reference }) => reference),
    asked.map(({ sequence }) => sequence ?? null),
    asked.map(({ since }) => since.toISOString()),
    asked.map(({ until }) => until.toISOString()),
  ]);
  return toEvents(rows);
}

/** The events to these owners about a record (`subjectId` of `emit`), in their order. */
export async function findEventsAbout(
  db: Executor,
  { ownerIds, subjectId }: { ownerIds: readonly string[]; subjectId: string },
): Promise<DeliveredEvent[]> {
  return toEvents(await selectAbout(db, [[...new Set(ownerIds)], subjectId]));
}

const toEvents = (rows: readonly EventRow[]): DeliveredEvent[] =>
  [...Map.groupBy(rows, ({ eventId }) => eventId)].map(([id, ofEvent]) => {
    const { event: name, reference, ownerId, writtenAt } = ofEvent[0] as EventRow;
    return { id, event: name, reference, ownerId, writtenAt, deliveries: ofEvent.flatMap(toDelivery) };
  });

const toDelivery = ({ id, endpointId, status, attempts, ...rest }: EventRow): EventDelivery[] =>
  id === null || endpointId === null || status === null
    ? []
    : [
        {
          id,
          endpointId,
          status,
          attempts: attempts ?? 0,
          lastError: rest.lastError ?? undefined,
          lastAttemptAt: rest.lastAttemptAt ?? undefined,
          deliveredAt: rest.deliveredAt ?? undefined,
        },
      ];
