import { and, type Column, eq, gte, like, lt, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Walk } from '#lib/postgres/lists.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import { event, receiver } from '#modules/outbox';
import { delivery } from './tables.ts';

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

/** The same, of receivers instead of their owner: none is named where all are meant. */
export interface ReceiverFilter extends Omit<DeliveryFilter, 'partnerId' | 'applicationId' | 'endpointId'> {
  receiverIds?: readonly string[] | undefined;
  /** To whom their events were written. It says nothing new; it lets the events of one owner be read by their index. */
  eventsOf?: readonly string[] | undefined;
}

/** Of those receivers; of one alone by an equation, so that its index is walked in order. */
export const isOneOf = (ids: readonly string[], column: Column = delivery.receiverId): SQL => {
  const [only] = ids;
  return ids.length === 1 && only !== undefined ? eq(column, only) : sql`${column} = any(${sql.param(ids)}::uuid[])`;
};

const asked = <Value>(value: Value | undefined, condition: (value: Value) => SQL | undefined) =>
  value === undefined ? undefined : condition(value);

const standing = alias(receiver, 'standing');

/** The ids of all endpoints that owners have or had. */
const idsOf = (db: Executor, isOwner: (of: typeof receiver | typeof standing) => SQL | undefined) =>
  db
    .select({ id: receiver.id })
    .from(receiver)
    .where(isOwner(receiver))
    .unionAll(
      db
        .select({ id: receiver.id })
        .from(receiver)
        .innerJoin(standing, eq(standing.id, receiver.defaultId))
        .where(isOwner(standing)),
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

/** All endpoints that an owner has or had. */
export const selectEndpointIds = async (db: Executor, ownerId: string): Promise<string[]> =>
  toIds(await ofOwner(db, { ownerId }));

/** All endpoints that a partner, an application has or had; undefined where no owner is named. */
export async function selectEndpointIdsOf(
  db: Executor,
  { partnerId, applicationId }: { partnerId?: string | undefined; applicationId?: string | undefined },
): Promise<string[] | undefined> {
  if (partnerId !== undefined && applicationId !== undefined) return []; // nothing is of both
  if (partnerId !== undefined) return toIds(await ofOwnerOfKind(db, { ownerId: partnerId, ownerKind: 'PARTNER' }));
  if (applicationId === undefined) return undefined;
  return toIds(await ofOwnerOfKind(db, { ownerId: applicationId, ownerKind: 'APPLICATION' }));
}

/**
 * Looks up the receivers of the owner first, so that the database knows when it plans how much they have: otherwise it may
 * read everybody's deliveries for a partner that has few.
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

/** What it says of how attempts ended. */
const matchesError = (lastError: Column, error: string): SQL | undefined =>
  /^status [1-5]xx$/.test(error) ? like(lastError, error.replace('xx', '__')) : eq(lastError, error);

/** What a filter asks of deliveries and their events, joined. Times are the event's. */
export const matches = (filter: ReceiverFilter): SQL | undefined =>
  and(
    asked(filter.receiverIds, (ids) => isOneOf(ids)),
    asked(filter.eventsOf, (ids) => isOneOf(ids, event.receiverId)),
    asked(filter.status, (status) => eq(delivery.status, status)),
    asked(filter.error, (error) => matchesError(delivery.lastError, error)),
    asked(filter.event, (name) => eq(event.event, name)),
    asked(filter.from, (from) => gte(event.createdAt, from)),
    asked(filter.to, (to) => lt(event.createdAt, to)),
  );

/** A delivery in the walk of a list. */
const row = alias(delivery, 'd');

const waits = {
  DUE: sql`${row.status} = 'PENDING' and ${row.dueAt} is not null`,
  HELD: sql`${row.status} = 'PENDING' and ${row.dueAt} is null`,
} as const;

/** No transaction is longer: an id is made within that time of the moment that its row says. */
const TRANSACTION_MAX_MS = 60_000;

/** The least id of version 7 that is made at a moment. */
function idAt(moment: Date, shiftMs: number): string {
  const ms = Math.max(0, moment.getTime() + shiftMs);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** The least id of a delivery that says it was made at a moment, or later. */
export const leastIdSince = (moment: Date): string => idAt(moment, -TRANSACTION_MAX_MS);

/**
 * The deliveries that match, the newest first. Times are the delivery's own: its id tells them too, so that a walk begins
 * and ends there. Of failed ones there is an index, and two of those that wait; for anything else the deliveries are looked
 * through.
 */
export function walkOf(filter: ReceiverFilter): Walk {
  const { receiverIds, status, waiting, error, event: name, from, to } = filter;
  return {
    name: 'deliveries',
    filter,
    table: delivery,
    row,
    key: row.id,
    within: and(
      asked(receiverIds, (ids) => isOneOf(ids, row.receiverId)),
      status === 'FAILED' ? sql`${row.status} = 'FAILED'` : undefined,
      asked(waiting, (how) => waits[how]),
      from && gte(row.id, leastIdSince(from)),
      to && lt(row.id, idAt(to, TRANSACTION_MAX_MS)),
    ),
    ...(status === 'PENDING' && waiting === undefined ? { withinOneOf: [waits.DUE, waits.HELD] } : {}),
    matches: and(
      status === 'DELIVERED' ? eq(row.status, status) : undefined,
      asked(error, (text) => matchesError(row.lastError, text)),
      // Looked up for each row, never joined: what is joined may be read whole.
      asked(name, (text) => sql`(select ${event.event} from ${event} where ${event.id} = ${row.eventId}) = ${text}`),
      from && gte(row.createdAt, from),
      to && lt(row.createdAt, to),
    ),
  };
}
