import { and, eq, lt, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { request } from './tables.ts';

export type RequestRow = typeof request.$inferSelect;

/** Takes the key for this run: a new one, an expired one, or one whose run died. Undefined when somebody has it. */
export async function takeKey(
  db: Executor,
  row: { scope: Buffer; bodyDigest: Buffer; runId: string; lockedUntil: Date; expiresAt: Date },
  now: Date,
): Promise<RequestRow | undefined> {
  const [taken] = await db
    .insert(request)
    .values(row)
    .onConflictDoUpdate({
      target: request.scope,
      set: { ...row, statusCode: null, contentType: null, answerSealed: null },
      setWhere: sql`${request.expiresAt} < ${now} or (${request.statusCode} is null
        and ${request.lockedUntil} < ${now} and ${request.bodyDigest} = ${row.bodyDigest})`,
    })
    .returning();
  return taken;
}

export async function findRequest(db: Executor, scope: Buffer): Promise<RequestRow | undefined> {
  const [row] = await db.select().from(request).where(eq(request.scope, scope));
  return row;
}

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

export async function releaseKey(db: Executor, run: { scope: Buffer; runId: string }): Promise<void> {
  await db.delete(request).where(and(eq(request.scope, run.scope), eq(request.runId, run.runId)));
}

export async function deleteRequestsExpiredBefore(db: Executor, moment: Date): Promise<void> {
  await db.delete(request).where(lt(request.expiresAt, moment));
}
