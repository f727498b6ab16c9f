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
    /** The run that owns the key: a run that lost it cannot overwrite the answer of the next one. */
    runId: uuid('run_id').notNull(),
    /** The run owns the key until then, unless it renews the lease. */
    lockedUntil: moment('locked_until').notNull(),
    /** The last run that committed: if it is this one, the request took effect, wholly or in part. */
    committedRun: uuid('committed_run'),
    statusCode: smallint('status_code'),
    contentType: text('content_type'),
    answerSealed: bytes('answer_sealed'),
    expiresAt: moment('expires_at').notNull(),
    /** The request and its caller, for a search by X-Request-Id. The path is the route's, without parameter values. */
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
