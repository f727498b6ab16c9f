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

/** One event on its way to one receiver, in at most five attempts. A resend is another delivery of the same event. */
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
     * When it can be claimed next, unless leased: at once, or after the backoff. Null while held, so that held deliveries do not
     * fill the index of due ones. `infinity` while parked behind an earlier one of its lane.
     */
    dueAt: moment('due_at'),
    /**
     * Until when it belongs to the claiming process; null once a result is recorded. Like every column that a claim changes it is
     * in no index, so a claim is a HOT update.
     */
    leasedUntil: moment('leased_until'),
    /** Of the latest failed attempt. */
    lastError: text('last_error'),
    /** When the latest attempt began. */
    lastAttemptAt: moment('last_attempt_at'),
    /** The URL of the latest attempt; the receiver's may have changed since. */
    lastUrl: text('last_url'),
    /** The result of the latest attempt. All null while it is in flight. Earlier attempts are rows of `attempt`. */
    lastStatusCode: integer('last_status_code'),
    lastDurationMs: integer('last_duration_ms'),
    /** timeout, dns, refused, tls, status 503, blocked target, interrupted … Null when it delivered. */
    lastAttemptError: text('last_attempt_error'),
    lastResponse: bytes('last_response'),
    deliveredAt: moment('delivered_at'),
    /** When its attempts and the body of its event were deleted. */
    purgedAt: moment('purged_at'),
    /**
     * For an ordered receiver: the wallet and the position in its history. Not sent while an earlier one of its lane is PENDING.
     */
    lane: text('lane'),
    position: bigint('position', { mode: 'number' }),
    /** The trace that caused the event; the attempts continue it. */
    traceparent: text('traceparent').default(sql`nullif(current_setting('paytag.traceparent', true), '')`),
    /** The failed delivery that this one repeats automatically. */
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
    // Automatic replays: one for each event and receiver.
    uniqueIndex('delivery_replayed_once').on(t.eventId, t.receiverId).where(sql`${t.replayOf} is not null`),
  ],
);

/** An attempt that another one followed, written when that one began. The latest attempt is in its delivery. */
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

    url: text('url'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.number] }), check('attempt_number', sql`${t.number} between 1 and 5`)],
);

/** The latest pause of a receiver, in force until `resumedAt`. */
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

/** A resumed receiver whose held deliveries are not all due yet. */
export const release = webhooksSchema.table('release', {
  receiverId: uuid('receiver_id')
    .primaryKey()
    .references(() => receiver.id, { onDelete: 'cascade' }),
});

/**
 * The circuit breaker of a receiver (`breakerRules`). The row exists from the first failure to the next success, or to the one
 * after that if it had opened. Until `openUntil` nothing is sent; then one delivery probes the receiver.
 */
export const breaker = webhooksSchema.table('breaker', {
  receiverId: uuid('receiver_id')
    .primaryKey()
    .references(() => receiver.id, { onDelete: 'cascade' }),
  /** In a row, over all deliveries. 0: it has closed, and `openings` still counts. */
  failures: integer('failures').notNull(),
  /** The first of these failures. Without failures: when it closed. */
  failingSince: moment('failing_since').notNull(),
  lastFailedAt: moment('last_failed_at').notNull(),
  /** Openings since the last success that was no probe: the cool-down grows with them. */
  openings: integer('openings').notNull().default(0),
  /** Null: closed. */
  openUntil: moment('open_until'),
  /** A probe is in flight, or its process died; `openUntil` is the end of its lease. */
  probing: boolean('probing').notNull().default(false),
});

/** The rate limit of a receiver, in attempts a second over all processes. */
export const pace = webhooksSchema.table(
  'pace',
  {
    receiverId: uuid('receiver_id')
      .primaryKey()
      .references(() => receiver.id, { onDelete: 'cascade' }),
    rate: integer('rate').notNull(),
    /** The rate times the time since this moment may be sent now, but no more than a tenth of a second's worth. */
    countsFrom: timestamp('counts_from', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check('pace_rate', sql`${t.rate} > 0`)],
);

/** A FAILED delivery that was not replayed. A trigger inserts it in the transaction of the failure. */
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

/** A time in which a receiver does not accept its deliveries, one of each kind at once. Its owner is notified once. */
export const episode = webhooksSchema.table(
  'episode',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    receiverId: uuid('receiver_id')
      .notNull()
      .references(() => receiver.id, { onDelete: 'cascade' }),
    /** FAILING: its breaker opened. PAUSED: not by its owner. FAILED: deliveries failed. BACKLOG: deliveries are overdue. */
    kind: text('kind', { enum: ['FAILING', 'PAUSED', 'FAILED', 'BACKLOG'] }).notNull(),
    beganAt: moment('began_at').notNull(),
    /** The reason of a pause. */
    detail: text('detail'),
    /** Since when the receiver works, as of the last check; null: it does not. */
    wellSince: moment('well_since'),
    endedAt: moment('ended_at'),
    /** When the alert to its owner is due. Null: a process has taken it. */
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
