import { sql } from '#drizzle';
import { type AnyPgColumn, bigint, boolean, check, index, pgSchema, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const outboxSchema = pgSchema('outbox');

/**
 * A webhook endpoint of a partner or an application. Each owner has a default endpoint, and may have further ones. Events are held
 * until it has a URL.
 */
export const receiver = outboxSchema.table(
  'receiver',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** The partner or application, on its default endpoint. Null: a further endpoint, which belongs to `defaultId`. */
    ownerId: uuid('owner_id').unique(),
    defaultId: uuid('default_id').references((): AnyPgColumn => receiver.id),
    /** On a default endpoint: the number of further ones. */
    others: smallint('others').notNull().default(0),
    description: text('description'),
    /** The subscribed events; null: all. */
    events: text('events').array(),
    /** It receives subscribed events written from this moment on; null: from the beginning. */
    eventsFrom: moment('events_from'),
    /** Names of its own headers, sent with each request; their values are sealed JSON. */
    headerNames: text('header_names').array(),
    headersSealed: bytes('headers_sealed'),
    /** The events of one wallet are sent one at a time, in order. */
    ordered: boolean('ordered').notNull().default(false),
    /** Deliveries of a deleted endpoint stay as the record. */
    deletedAt: moment('deleted_at'),
    ownerKind: text('owner_kind', { enum: ['PARTNER', 'APPLICATION'] }).notNull(),
    url: text('url'),
    /** Covers owner, URL and subscribed events (`RECEIVER_ROUTE`). */
    routingMac: bytes('routing_mac').notNull(),
    /** Keys R-Signature: the owner's client id. */
    clientIdSealed: bytes('client_id_sealed').notNull(),
    /** Keys the Standard Webhooks signature. */
    secretSealed: bytes('secret_sealed').notNull(),
    /** When that secret took effect; null: with the receiver. */
    secretRotatedAt: moment('secret_rotated_at'),
    /** Until then the previous secret signs too. */
    previousSecretSealed: bytes('previous_secret_sealed'),
    previousSecretUntil: moment('previous_secret_until'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('receiver_owner_kind', sql`${t.ownerKind} in ('PARTNER', 'APPLICATION')`),
    check('receiver_previous_secret', sql`(${t.previousSecretSealed} is null) = (${t.previousSecretUntil} is null)`),
    check('receiver_default', sql`(${t.ownerId} is null) = (${t.defaultId} is not null)`),
    check('receiver_others', sql`${t.others} between 0 and 10 and (${t.others} = 0 or ${t.defaultId} is null)`),
    check('receiver_deleted', sql`${t.deletedAt} is null or (${t.defaultId} is not null and ${t.url} is null)`),
    check('receiver_headers', sql`(${t.headerNames} is null) = (${t.headersSealed} is null)`),
    index('receiver_previous_secret').on(t.previousSecretUntil).where(sql`${t.previousSecretUntil} is not null`),
    index('receiver_beside').on(t.defaultId, t.id).where(sql`${t.defaultId} is not null`),
  ],
);

/** Something that happened, in the exact bytes that are signed and sent. Written once, in the transaction of its cause. */
export const event = outboxSchema.table(
  'event',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    receiverId: uuid('receiver_id')
      .notNull()
      .references(() => receiver.id),
    event: text('event').notNull(),
    reference: text('reference').notNull(),
    /** The id of its record, where deliveries are listed by record: several records may share one reference. */
    subjectId: uuid('subject_id'),
    /** Null once purged: the event can no longer be sent. */
    body: text('body'),
    /** SHA-256 of a body that was purged, so that what was sent can still be proved; null while the body is there. */
    bodyDigest: bytes('body_digest'),
    /** Position in the wallet's history, by which a receiver can sort. */
    sequence: bigint('sequence', { mode: 'number' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('event_receiver').on(t.receiverId, t.createdAt),
    index('event_subject').on(t.receiverId, t.subjectId).where(sql`${t.subjectId} is not null`),
  ],
);
