import { and, eq, inArray } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { delivery, event, receiver } from './tables.ts';

/** Deliveries of events of one owner, by the events' references, in the order in which they were made. */
export async function selectTold(
  db: Executor,
  { ownerId, references, events }: { ownerId: string; references: readonly string[]; events: readonly string[] },
) {
  return db
    .select({
      id: delivery.id,
      event: event.event,
      reference: event.reference,
      body: event.body,
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
    .where(
      and(eq(receiver.ownerId, ownerId), inArray(event.reference, [...references]), inArray(event.event, [...events])),
    )
    .orderBy(delivery.id);
}
