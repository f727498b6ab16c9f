import { and, eq, sql } from '#drizzle';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { request } from './tables.ts';

/** The request under a key. */
export const findRequest = preparedOne('idempotency.request', (db, given: Given<{ scope: Buffer }>) =>
  db.select().from(request).where(eq(request.scope, given.scope)),
);

/** Stores in a transaction of a run that it has committed; fails, with the transaction, if another run owns the key. */
export const commitRun = ({ scope, runId }: { scope: Buffer; runId: string }) => ({
  name: 'idempotency.commit-run',
  text: 'select idempotency.commit_run($1, $2)',
  values: [scope, runId],
});

/** Renews the lease of a run, unless another run owns the key. Waits for a commit of the run in progress. */
export const lockUntil = prepared(
  'idempotency.lock',
  (db, given: Given<{ scope: Buffer; runId: string; lockedUntil: Date }>) =>
    db
      .update(request)
      .set({ lockedUntil: sql`${given.lockedUntil}` })
      .where(and(eq(request.scope, given.scope), eq(request.runId, given.runId))),
);

/** Deletes the reservation of a run, unless another run owns the key. */
export const releaseKey = prepared('idempotency.release', (db, given: Given<{ scope: Buffer; runId: string }>) =>
  db.delete(request).where(and(eq(request.scope, given.scope), eq(request.runId, given.runId))),
);

/** The last requests of an X-Request-Id with an Idempotency-Key, and the statuses of their answers; newest first. */
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
