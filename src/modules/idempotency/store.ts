import { and, eq, lt, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { request } from './tables.ts';

export type RequestRow = typeof request.$inferSelect;

/** Reserves a key for this run: a new key, an expired one, or one whose run died. @returns undefined when it is in use */
export async function reserveKey(
  db: Executor,
  row: { scope: Buffer; bodyDigest: Buffer; runId: string; lockedUntil: Date; expiresAt: Date },
  now: Date,
): Promise<RequestRow | undefined> {
  const [reserved] = await db
    .insert(request)
    .values(row)
    .onConflictDoUpdate({
      target: request.scope,
      set: { ...row, statusCode: null, contentType: null, answerSealed: null },
      setWhere: sql`${request.expiresAt} < ${now} or (${request.statusCode} is null
        and ${request.lockedUntil} < ${now} and ${request.bodyDigest} = ${row.bodyDigest})`,
    })
    .returning();
  return reserved;
}

/** The request under a key. */
export async function findRequest(db: Executor, scope: Buffer): Promise<RequestRow | undefined> {
  const [row] = await db.select().from(request).where(eq(request.scope, scope));
  return row;
}

/** Stores the answer of a run, unless another run has taken the key over. */
export async function storeAnswer(
  db: Executor,
  run: { scope: Buffer; runId: string },
  answer: { statusCode: number; contentType: string; answerSealed: Buffer },
): Promise<void> {
  await db
    .update(request)
    .set(answer)
    .where(and(eq(request.scope, run.scope), eq(request.runId, run.runId)));
}

/** Deletes the reservation of a run, unless another run has taken the key over. */
export async function releaseKey(db: Executor, run: { scope: Buffer; runId: string }): Promise<void> {
  await db.delete(request).where(and(eq(request.scope, run.scope), eq(request.runId, run.runId)));
}

/** Deletes the requests that expired before a moment. */
export async function deleteRequestsExpiredBefore(db: Executor, moment: Date): Promise<void> {
  await db.delete(request).where(lt(request.expiresAt, moment));
}
