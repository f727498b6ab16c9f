import { sql } from '#drizzle';
import { bigint, boolean, check, index, integer, pgSchema, primaryKey, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/columns.ts';

export const outboxSchema = pgSchema('outbox');

/** Who is told: one for each partner and each application. Without a URL its events are kept. */
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
    /** Since when that is the secret; null: since the receiver is. */
    secretRotatedAt: moment('secret_rotated_at'),
    /** The secret before a rotation signs beside the new one until then. */
    previousSecretSealed: bytes('previous_secret_sealed'),
    previousSecretUntil: moment('previous_secret_until'),
    status: text('status', { enum: ['ACTIVE', 'PAUSED'] })
      .notNull()
      .default('ACTIVE'),
    /** While PAUSED: since when, on whose word, and why. */
    pausedAt: moment('paused_at'),
    pausedBy: text('paused_by', { enum: ['OPERATOR', 'OWNER', 'SYSTEM'] }),
    pauseReason: text('pause_reason'),
    /** It can be sent to again, and not all that was kept for it is due yet. */
    releasing: boolean('releasing').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('receiver_owner_kind', sql`${t.ownerKind} in ('PARTNER', 'APPLICATION')`),
    check('receiver_status', sql`${t.status} in ('ACTIVE', 'PAUSED')`),
    check('receiver_paused_by', sql`${t.pausedBy} in ('OPERATOR', 'OWNER', 'SYSTEM')`),
    index('receiver_releasing').on(t.id).where(sql`${t.releasing}`),
    check('receiver_previous_secret', sql`(${t.previousSecretSealed} is null) = (${t.previousSecretUntil} is null)`),
  ],
);

/** Something that happened, in the exact bytes that are signed and sent. Written once, in the transaction of what it tells. */
export const event = outboxSchema.table(
  'event',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    receiverId: uuid('receiver_id')
      .notNull()
      .references(() => receiver.id),
    event: text('event').notNull(),
    reference: text('reference').notNull(),
    /** Null once it was purged: nobody can be sent it any more. */
    body: text('body'),
    /** Position in the wallet's history, by which a receiver can sort. */
    sequence: bigint('sequence', { mode: 'number' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('event_receiver').on(t.receiverId, t.createdAt),
    index('event_reference').on(t.receiverId, t.reference),
  ],
);

/** The bringing of one event to its receiver: at most five attempts. A resend is another delivery of the same event. */
export const delivery = outboxSchema.table(
  'delivery',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    eventId: uuid('event_id')
      .notNull()
      .references(() => event.id),
    receiverId: uuid('receiver_id')
      .notNull()
      .references(() => receiver.id),
    status: text('status', { enum: ['PENDING', 'DELIVERED', 'FAILED'] })
      .notNull()
      .default('PENDING'),
    /** Attempts begun; counted before anything is sent. */
    attempts: smallint('attempts').notNull().default(0),
    /**
     * When it may be claimed next: after the backoff, or when the claim of a process that died runs out. Null when it was
     * written while its receiver had no URL or was paused: such deliveries wait outside the index, however many they are.
     */
    dueAt: moment('due_at'),
    lastError: text('last_error'),
    lastAttemptAt: moment('last_attempt_at'),
    deliveredAt: moment('delivered_at'),
    /** When its attempts and the body of its event were deleted. */
    purgedAt: moment('purged_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('delivery_status', sql`${t.status} in ('PENDING', 'DELIVERED', 'FAILED')`),
    check('delivery_attempts', sql`${t.attempts} between 0 and 5`),
    index('delivery_due').on(t.receiverId, t.dueAt).where(sql`${t.status} = 'PENDING' and ${t.dueAt} is not null`),
    index('delivery_parked').on(t.receiverId, t.id).where(sql`${t.status} = 'PENDING' and ${t.dueAt} is null`),
    index('delivery_event').on(t.eventId),
    index('delivery_receiver').on(t.receiverId, t.id),
    index('delivery_purgeable').on(t.deliveredAt).where(sql`${t.status} = 'DELIVERED' and ${t.purgedAt} is null`),
    index('delivery_failed_purgeable').on(t.updatedAt).where(sql`${t.status} = 'FAILED' and ${t.purgedAt} is null`),
    index('delivery_failed').on(t.receiverId, t.eventId).where(sql`${t.status} = 'FAILED'`),
  ],
);

/** One attempt, recorded before it is sent and completed by its outcome. */
export const attempt = outboxSchema.table(
  'attempt',
  {
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => delivery.id, { onDelete: 'cascade' }),
    number: smallint('number').notNull(),
    at: moment('at').notNull(),
    statusCode: integer('status_code'),
    durationMs: integer('duration_ms'),
    /** timeout, dns, refused, tls, status 503, blocked target … */
    error: text('error'),
    response: bytes('response'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.number] }), check('attempt_number', sql`${t.number} between 1 and 5`)],
);

/**
 * A receiver that fails: there is a row from its first failure to its next success, or where it had opened to the one
 * after that. While `openUntil` lies ahead nothing is sent to it; then a single delivery goes, and its outcome decides
 * (breaker.ts).
 */
export const breaker = outboxSchema.table('breaker', {
  receiverId: uuid('receiver_id')
    .primaryKey()
    .references(() => receiver.id, { onDelete: 'cascade' }),
  /** In a row, of whichever deliveries. 0: it has closed, and how often it had opened is not forgotten yet. */
  failures: integer('failures').notNull(),
  /** With no failures: since when it has been closed. */
  failingSince: moment('failing_since').notNull(),
  lastFailedAt: moment('last_failed_at').notNull(),
  /** Times it has opened since the last success that did not close it: the cool-down grows with them. */
  openings: integer('openings').notNull().default(0),
  /** Null: closed, for it has not failed often enough. */
  openUntil: moment('open_until'),
  /** A probe is under way, or its process died; `openUntil` is then the end of its lease. */
  probing: boolean('probing').notNull().default(false),
});
