import { sql } from '#drizzle';
import { index, pgSchema, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const idempotencySchema = pgSchema('idempotency');

/** A request under an Idempotency-Key and, once it has finished, its answer. */
export const request = idempotencySchema.table(
  'request',
  {
    /** Digest of credential, customer, method, path and key. */
    scope: bytes('scope').primaryKey(),
    bodyDigest: bytes('body_digest').notNull(),
    /** The run that has the key: a run that lost it cannot overwrite the answer of the one that took over. */
    runId: uuid('run_id').notNull(),
    /** Until then the run has the key, unless it says before that it goes on. */
    lockedUntil: moment('locked_until').notNull(),
    /** The run that has committed something: when it is this one, the request was done, wholly or in part. */
    committedRun: uuid('committed_run'),
    statusCode: smallint('status_code'),
    contentType: text('content_type'),
    answerSealed: bytes('answer_sealed'),
    expiresAt: moment('expires_at').notNull(),
    /** What was asked, and by whom: for whoever looks for it by its X-Request-Id. The path is a route's, without what stood in it. */
    requestId: text('request_id'),
    method: text('method'),
    route: text('route'),
    caller: text('caller'),
  },
  (t) => [
    index('request_expiry').on(t.expiresAt),
    index('request_of_id').on(t.requestId).where(sql`${t.requestId} is not null`),
  ],
);
