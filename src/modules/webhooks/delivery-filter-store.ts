import { and, type Column, eq, gte, like, lt, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/database.ts';
import type { Walk } from '#lib/walk.ts';
import { event, receiver } from '#modules/outbox';
import { delivery } from './tables.ts';

export interface DeliveryFilter {
  status?: (typeof delivery.$inferSelect)['status'] | undefined;
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  /** The event's name. */
  event?: string | undefined;
  /** What `lastError` says; `status 5xx` and its like stand for every such status. */
  error?: string | undefined;
  /** From this moment on, and before that one: when the delivery was made, and for a replay when its event was. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The same, of a receiver instead of its owner. */
export interface ReceiverFilter extends Omit<DeliveryFilter, 'partnerId' | 'applicationId'> {
  receiverId?: string | undefined;
}

/** The id of no receiver. */
const NO_RECEIVER = '00000000-0000-0000-0000-000000000000';

/**
 * Looks up the receiver of the owner first, so that the database knows when it plans how much this receiver has: otherwise
 * it may read everybody's deliveries for a partner that has few.
 */
export async function ofReceiver(
  db: Executor,
  { partnerId, applicationId, ...filter }: DeliveryFilter,
): Promise<ReceiverFilter> {
  if (partnerId === undefined && applicationId === undefined) return filter;
  const isOwner = and(
    partnerId === undefined ? undefined : and(eq(receiver.ownerKind, 'PARTNER'), eq(receiver.ownerId, partnerId)),
    applicationId === undefined
      ? undefined
      : and(eq(receiver.ownerKind, 'APPLICATION'), eq(receiver.ownerId, applicationId)),
  );
  const [found] = await db.select({ id: receiver.id }).from(receiver).where(isOwner);
  return { ...filter, receiverId: found?.id ?? NO_RECEIVER };
}

const given = <Value>(value: Value | undefined, condition: (value: Value) => SQL | undefined) =>
  value === undefined ? undefined : condition(value);

/** What it says of how attempts ended. */
const matchesError = (lastError: Column, error: string): SQL | undefined =>
  /^status [1-5]xx$/.test(error) ? like(lastError, error.replace('xx', '__')) : eq(lastError, error);

/** What a filter asks of deliveries and their events, joined. Times are the event's. */
export const matches = (filter: ReceiverFilter): SQL | undefined =>
  and(
    given(filter.receiverId, (id) => and(eq(delivery.receiverId, id), eq(event.receiverId, id))),
    given(filter.status, (status) => eq(delivery.status, status)),
    given(filter.error, (error) => matchesError(delivery.lastError, error)),
    given(filter.event, (name) => eq(event.event, name)),
    given(filter.from, (from) => gte(event.createdAt, from)),
    given(filter.to, (to) => lt(event.createdAt, to)),
  );

/** A delivery in the walk of a list. */
const row = alias(delivery, 'd');

/** No transaction is longer: an id is made within that time of the moment that its row says. */
const TRANSACTION_MAX_MS = 60_000;

/** The least id of version 7 that is made at a moment. */
function idAt(moment: Date, shiftMs: number): string {
  const ms = Math.max(0, moment.getTime() + shiftMs);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/**
 * The deliveries that match, the newest first. Times are the delivery's own: its id tells them too, so that a walk begins
 * and ends there. Of failed ones there is an index; for anything else the deliveries are looked through.
 */
export function walkOf(filter: ReceiverFilter): Walk {
  const { receiverId, status, error, event: name, from, to } = filter;
  return {
    name: 'deliveries',
    filter,
    table: delivery,
    row,
    key: row.id,
    within: and(
      given(receiverId, (id) => eq(row.receiverId, id)),
      status === 'FAILED' ? sql`${row.status} = 'FAILED'` : undefined,
      from && gte(row.id, idAt(from, -TRANSACTION_MAX_MS)),
      to && lt(row.id, idAt(to, TRANSACTION_MAX_MS)),
    ),
    matches: and(
      status === undefined || status === 'FAILED' ? undefined : eq(row.status, status),
      given(error, (text) => matchesError(row.lastError, text)),
      // Looked up for each row, never joined: what is joined may be read whole.
      given(name, (text) => sql`(select ${event.event} from ${event} where ${event.id} = ${row.eventId}) = ${text}`),
      from && gte(row.createdAt, from),
      to && lt(row.createdAt, to),
    ),
  };
}
