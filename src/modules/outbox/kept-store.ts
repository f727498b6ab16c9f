import { eq, sql } from '#drizzle';
import type { Database } from '#lib/database.ts';
import { receiver } from './tables.ts';

/** Receivers for which something may still be kept that can be sent now. */
export async function selectReleasing(db: Database, limit: number): Promise<string[]> {
  const rows = await db.select({ id: receiver.id }).from(receiver).where(eq(receiver.releasing, true)).limit(limit);
  return rows.map(({ id }) => id);
}

/** Makes up to `limit` of what is kept for a receiver due, the oldest first, and says how many. */
export async function releaseKeptFor(db: Database, receiverId: string, limit: number): Promise<number> {
  const { rows } = await db.execute<{ released: number }>(
    sql`select outbox.release_kept(${receiverId}::uuid, ${limit}) as released`,
  );
  return rows[0]?.released ?? 0;
}
