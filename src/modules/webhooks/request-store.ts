import { and, eq } from '#drizzle';
import { type Given, preparedOne } from '#lib/postgres/prepared.ts';
import { event, ownerOf, receiver } from '#modules/outbox';
import { isReceiver } from './delivery-store.ts';
import { delivery } from './tables.ts';

/** What a delivery of an owner sends, and what it is signed with. */
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
