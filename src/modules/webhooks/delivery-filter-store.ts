import { and, eq, gte, like, lt, type SQL } from '#drizzle';
import type { Executor } from '#lib/database.ts';
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
  /** When the event was written: from, and before. */
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

/** What a filter asks of a delivery. */
export const matchesDelivery = (filter: ReceiverFilter): SQL | undefined =>
  and(
    given(filter.receiverId, (id) => eq(delivery.receiverId, id)),
    given(filter.status, (status) => eq(delivery.status, status)),
    given(filter.error, (error) =>
      /^status [1-5]xx$/.test(error)
        ? like(delivery.lastError, error.replace('xx', '__'))
        : eq(delivery.lastError, error),
    ),
  );

/** What it asks of the event of a delivery. */
export const matchesEvent = (filter: ReceiverFilter): SQL | undefined =>
  and(
    given(filter.receiverId, (id) => eq(event.receiverId, id)),
    given(filter.event, (name) => eq(event.event, name)),
    given(filter.from, (from) => gte(event.createdAt, from)),
    given(filter.to, (to) => lt(event.createdAt, to)),
  );

/** What it asks of both, joined. */
export const matches = (filter: ReceiverFilter): SQL | undefined => and(matchesDelivery(filter), matchesEvent(filter));
