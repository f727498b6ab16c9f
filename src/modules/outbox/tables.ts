import { sql } from '#drizzle';
import { bigint, check, index, pgSchema, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/columns.ts';

export const outboxSchema = pgSchema('outbox');

/** Where the events of a partner or an application go: each has one. Without a URL its events are held. */
export const receiver = outboxSchema.table(
  'receiver',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** The partner or application. */
    ownerId: uuid('owner_id').notNull().unique(),
    ownerKind: text('owner_kind', { enum: ['PARTNER', 'APPLICATION'] }).notNull(),
    url: text('url'),
    /** Keys R-Signature: the owner's client id. */
    clientIdSealed: bytes('client_id_sealed').notNull(),
    /** Keys the Standard Webhooks signature. */
    secretSealed: bytes('secret_sealed').notNull(),
    /** When that secret took effect; null: with the receiver. */
    secretRotatedAt: moment('secret_rotated_at'),
    /** Until then the secret before a rotation signs beside the new one. */
    previousSecretSealed: bytes('previous_secret_sealed'),
    previousSecretUntil: moment('previous_secret_until'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('receiver_owner_kind', sql`${t.ownerKind} in ('PARTNER', 'APPLICATION')`),
    check('receiver_previous_secret', sql`(${t.previousSecretSealed} is null) = (${t.previousSecretUntil} is null)`),
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
    /** The record it is about, where that is asked for again: several records may share one reference. */
    subjectId: uuid('subject_id'),
    /** Null once it was purged: it can be sent no more. */
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
