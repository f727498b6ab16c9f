import { index, pgSchema, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/columns.ts';

export const idempotencySchema = pgSchema('idempotency');

/** A request made under an Idempotency-Key, and, when it is over, the answer it got. */
export const request = idempotencySchema.table(
  'request',
  {
    /** Digest of credential, customer, method, path and key. */
    scope: bytes('scope').primaryKey(),
    bodyDigest: bytes('body_digest').notNull(),
    /** The run that works on it, so that one which took over too late cannot overwrite another's answer. */
    runId: uuid('run_id').notNull(),
    lockedUntil: moment('locked_until').notNull(),
    statusCode: smallint('status_code'),
    contentType: text('content_type'),
    answerSealed: bytes('answer_sealed'),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('request_expiry').on(t.expiresAt)],
);
