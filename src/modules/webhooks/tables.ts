import { sql } from '#drizzle';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { event, receiver } from '#modules/outbox';

export const webhooksSchema = pgSchema('webhooks');

/** Bringing one event to its receiver, in at most five attempts. A resend is another delivery of the same event. */
export const delivery = webhooksSchema.table(
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
     * When it can be claimed next, if it is not leased: at once, or after the backoff. Null while it is held: written while
     * its receiver had no URL or was paused, and not released yet. However many are held, the index of what is due does not
     * grow. `infinity` while it waits for an earlier one of its lane.
     */
    dueAt: moment('due_at'),
    /**
     * Until when it belongs to the process that claimed it; null once that has recorded a result. In no index, as nothing
     * that a claim changes: so a claim writes the row alone (a HOT update).
     */
    leasedUntil: moment('leased_until'),
    /** Of the latest attempt that failed. */
    lastError: text('last_error'),
    /** When the latest attempt began; with `attempts` it is the record that it did. */
    lastAttemptAt: moment('last_attempt_at'),
    /** Where it went, which may be elsewhere than where its receiver is now. Nothing is sent by it. */
    lastUrl: text('last_url'),
    /** How the latest attempt ended. All null while it is under way. Earlier attempts are rows of `attempt`. */
    lastStatusCode: integer('last_status_code'),
    lastDurationMs: integer('last_duration_ms'),
    /** timeout, dns, refused, tls, status 503, blocked target, interrupted … Null when it delivered. */
    lastAttemptError: text('last_attempt_error'),
    lastResponse: bytes('last_response'),
    deliveredAt: moment('delivered_at'),
    /** When its attempts and the body of its event were deleted. */
    purgedAt: moment('purged_at'),
    /**
     * Of a receiver that takes one at a time: the wallet, and the place in its history. It is not sent while an earlier one of
     * its lane is PENDING. Null: it waits for no other.
     */
    lane: text('lane'),
    position: bigint('position', { mode: 'number' }),
    /** The trace of what it is due to, where that was traced: its attempts go on with it. */
    traceparent: text('traceparent').default(sql`nullif(current_setting('paytag.traceparent', true), '')`),
    /** The delivery that failed whose event this one brings again, without anybody having asked. */
    replayOf: uuid('replay_of').references((): AnyPgColumn => delivery.id),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('delivery_status', sql`${t.status} in ('PENDING', 'DELIVERED', 'FAILED')`),
    check('delivery_attempts', sql`${t.attempts} between 0 and 5`),
    check('delivery_lane', sql`(${t.lane} is null) = (${t.position} is null)`),
    index('delivery_in_lane')
      .on(t.receiverId, t.lane, t.position)
      .where(sql`${t.status} = 'PENDING' and ${t.lane} is not null`),
    index('delivery_due').on(t.receiverId, t.dueAt).where(sql`${t.status} = 'PENDING' and ${t.dueAt} is not null`),
    index('delivery_held').on(t.receiverId, t.id).where(sql`${t.status} = 'PENDING' and ${t.dueAt} is null`),
    index('delivery_due_newest').on(t.id).where(sql`${t.status} = 'PENDING' and ${t.dueAt} is not null`),
    index('delivery_held_newest').on(t.id).where(sql`${t.status} = 'PENDING' and ${t.dueAt} is null`),
    index('delivery_event').on(t.eventId),
    index('delivery_receiver').on(t.receiverId, t.id),
    index('delivery_purgeable').on(t.deliveredAt).where(sql`${t.status} = 'DELIVERED' and ${t.purgedAt} is null`),
    index('delivery_failed_purgeable').on(t.id).where(sql`${t.status} = 'FAILED' and ${t.purgedAt} is null`),
    index('delivery_failed').on(t.receiverId, t.eventId).where(sql`${t.status} = 'FAILED'`),
    index('delivery_failed_newest').on(t.receiverId, t.id).where(sql`${t.status} = 'FAILED'`),
    index('delivery_failed_all').on(t.id).where(sql`${t.status} = 'FAILED'`),
    index('delivery_forgettable').on(t.purgedAt).where(sql`${t.purgedAt} is not null`),
    index('delivery_replay').on(t.replayOf).where(sql`${t.replayOf} is not null`),
    // Of what failed nothing goes out again by itself twice.
    uniqueIndex('delivery_replayed_once').on(t.eventId, t.receiverId).where(sql`${t.replayOf} is not null`),
  ],
);

/** An attempt that was followed by another, written when that began. The latest one stands in its delivery. */
export const attempt = webhooksSchema.table(
  'attempt',
  {
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => delivery.id, { onDelete: 'cascade' }),
    number: smallint('number').notNull(),
    at: moment('at').notNull(),
    statusCode: integer('status_code'),
    durationMs: integer('duration_ms'),
    error: text('error'),
    response: bytes('response'),
    /** Where it went. */
    url: text('url'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.number] }), check('attempt_number', sql`${t.number} between 1 and 5`)],
);

/** The latest pause of a receiver. It is in force until somebody resumes the receiver. */
export const pause = webhooksSchema.table(
  'pause',
  {
    receiverId: uuid('receiver_id')
      .primaryKey()
      .references(() => receiver.id, { onDelete: 'cascade' }),
    pausedAt: moment('paused_at').notNull().defaultNow(),
    pausedBy: text('paused_by', { enum: ['OPERATOR', 'OWNER', 'SYSTEM'] }).notNull(),
    reason: text('reason').notNull(),
    resumedAt: moment('resumed_at'),
  },
  (t) => [
    check('pause_paused_by', sql`${t.pausedBy} in ('OPERATOR', 'OWNER', 'SYSTEM')`),
    index('pause_in_force').on(t.receiverId).where(sql`${t.resumedAt} is null`),
  ],
);

/** A receiver that can be sent to again, and whose held deliveries are not all due yet. */
export const release = webhooksSchema.table('release', {
  receiverId: uuid('receiver_id')
    .primaryKey()
    .references(() => receiver.id, { onDelete: 'cascade' }),
});

/**
 * The circuit breaker of a receiver (breaker.ts). There is a row from a receiver's first failure to its next success, or
 * to the one after that when it had opened. Until `openUntil` nothing is sent; then one delivery probes the receiver.
 */
export const breaker = webhooksSchema.table('breaker', {
  receiverId: uuid('receiver_id')
    .primaryKey()
    .references(() => receiver.id, { onDelete: 'cascade' }),
  /** In a row, whatever the delivery. 0: it has closed, and its openings are still counted. */
  failures: integer('failures').notNull(),
  /** When the first of these failures was. With no failures: when it closed. */
  failingSince: moment('failing_since').notNull(),
  lastFailedAt: moment('last_failed_at').notNull(),
  /** Times it has opened since the last success that did not close it: the cool-down grows with them. */
  openings: integer('openings').notNull().default(0),
  /** Null: closed, for it has not failed often enough. */
  openUntil: moment('open_until'),
  /** A probe is under way, or its process died; `openUntil` is then the end of its lease. */
  probing: boolean('probing').notNull().default(false),
});

/** A receiver that is sent so many a second at most: attempts are counted, over all processes. */
export const pace = webhooksSchema.table(
  'pace',
  {
    receiverId: uuid('receiver_id')
      .primaryKey()
      .references(() => receiver.id, { onDelete: 'cascade' }),
    rate: integer('rate').notNull(),
    /** What may be sent now is what the rate gives for the time since, and no more than for a tenth of a second. */
    countsFrom: timestamp('counts_from', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check('pace_rate', sql`${t.rate} > 0`)],
);

/** A delivery that has failed and is not dealt with: a trigger notes it in the transaction that says so. */
export const failure = webhooksSchema.table(
  'failure',
  {
    deliveryId: uuid('delivery_id')
      .primaryKey()
      .references(() => delivery.id, { onDelete: 'cascade' }),
    receiverId: uuid('receiver_id')
      .notNull()
      .references(() => receiver.id, { onDelete: 'cascade' }),
    failedAt: moment('failed_at').notNull().defaultNow(),
  },
  (t) => [index('failure_receiver').on(t.receiverId, t.deliveryId)],
);

/** A time in which a receiver did not take its deliveries, one of each kind at once: what its owner is told of, once. */
export const episode = webhooksSchema.table(
  'episode',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    receiverId: uuid('receiver_id')
      .notNull()
      .references(() => receiver.id, { onDelete: 'cascade' }),
    /** FAILING: its breaker opened. PAUSED: not by its owner. FAILED: deliveries had their last attempt. BACKLOG: old ones wait. */
    kind: text('kind', { enum: ['FAILING', 'PAUSED', 'FAILED', 'BACKLOG'] }).notNull(),
    beganAt: moment('began_at').notNull(),
    /** Of a pause: its reason. */
    detail: text('detail'),
    /** Since when the receiver has been well, as far as one has looked; null: it is not. */
    wellSince: moment('well_since'),
    endedAt: moment('ended_at'),
    /** When its owner is to be told. Null: they were, or that was tried. */
    tellAt: moment('tell_at'),
    tries: smallint('tries').notNull().default(0),
    toldAt: moment('told_at'),
  },
  (t) => [
    check('episode_kind', sql`${t.kind} in ('FAILING', 'PAUSED', 'FAILED', 'BACKLOG')`),
    uniqueIndex('episode_open').on(t.receiverId, t.kind).where(sql`${t.endedAt} is null`),
    index('episode_to_tell').on(t.tellAt).where(sql`${t.tellAt} is not null`),
    index('episode_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
  ],
);
