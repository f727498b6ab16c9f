import { and, eq, sql } from '#drizzle';
import { type Given, prepared, preparedOne, preparedText } from '#lib/prepared.ts';
import { request } from './tables.ts';

interface Reservation {
  scope: Buffer;
  bodyDigest: Buffer;
  runId: string;
  lockedUntil: Date;
  expiresAt: Date;
  requestId: string;
  method: string;
  route: string;
  caller: string;
}

/** Reserves a key for this run: a new key, an expired one, or one whose run died. Undefined when it is in use. */
export const reserveKey = preparedOne('idempotency.reserve', (db, given: Given<Reservation & { now: Date }>) => {
  const { scope, bodyDigest, runId, lockedUntil, expiresAt, requestId, method, route, caller, now } = given;
  const row = { scope, bodyDigest, runId, lockedUntil, expiresAt, requestId, method, route, caller };
  return db
    .insert(request)
    .values(row)
    .onConflictDoUpdate({
      target: request.scope,
      set: {
        bodyDigest: sql`${bodyDigest}`,
        runId: sql`${runId}`,
        lockedUntil: sql`${lockedUntil}`,
        expiresAt: sql`${expiresAt}`,
        requestId: sql`${requestId}`,
        committedRun: null,
        statusCode: null,
        contentType: null,
        answerSealed: null,
      },
      setWhere: sql`${request.expiresAt} < ${now} or (${request.statusCode} is null
        and ${request.lockedUntil} < ${now} and ${request.bodyDigest} = ${bodyDigest}
        and ${request.committedRun} is distinct from ${request.runId})`,
    })
    .returning();
});

/** The request under a key. */
export const findRequest = preparedOne('idempotency.request', (db, given: Given<{ scope: Buffer }>) =>
  db.select().from(request).where(eq(request.scope, given.scope)),
);

interface RunAnswer {
  scope: Buffer;
  runId: string;
  statusCode: number;
  contentType: string;
  answerSealed: Buffer;
}

/** Stores the answer of a run, unless another run has taken the key over. */
export const storeAnswer = prepared('idempotency.store-answer', (db, given: Given<RunAnswer>) => {
  const { statusCode, contentType, answerSealed, scope, runId } = given;
  return db
    .update(request)
    .set({
      statusCode: sql`${statusCode}`,
      contentType: sql`${contentType}`,
      answerSealed: sql`${answerSealed}`,
    })
    .where(and(eq(request.scope, scope), eq(request.runId, runId)));
});

/** Says in a transaction of a run that it has committed; fails, with the transaction, where another run has the key. */
export const commitRun = ({ scope, runId }: { scope: Buffer; runId: string }) => ({
  name: 'idempotency.commit-run',
  text: 'select idempotency.commit_run($1, $2)',
  values: [scope, runId],
});

/** Until when a run has its key, unless another has taken it over. Waits for a transaction of it whose commit is under way. */
export const lockUntil = prepared(
  'idempotency.lock',
  (db, given: Given<{ scope: Buffer; runId: string; lockedUntil: Date }>) =>
    db
      .update(request)
      .set({ lockedUntil: sql`${given.lockedUntil}` })
      .where(and(eq(request.scope, given.scope), eq(request.runId, given.runId))),
);

/** Deletes the reservation of a run, unless another run has taken the key over. */
export const releaseKey = prepared('idempotency.release', (db, given: Given<{ scope: Buffer; runId: string }>) =>
  db.delete(request).where(and(eq(request.scope, given.scope), eq(request.runId, given.runId))),
);

/** The last requests of an X-Request-Id that came with an Idempotency-Key, and their answers' statuses; the newest first. */
export const selectRequestsOf = preparedText<{
  method: string;
  route: string;
  caller: string;
  statusCode: number | null;
  expiresAt: string;
}>(
  'idempotency.of-request',
  `select method, route, caller, status_code as "statusCode", to_json(expires_at) #>> '{}' as "expiresAt"
    from idempotency.request where request_id = $1 order by expires_at desc limit $2`,
);
