import { and, desc, eq } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { type Given, preparedOne } from '#lib/prepared.ts';
import { comparison } from './tables.ts';

export type ComparisonRow = typeof comparison.$inferSelect;

/** Stores what a comparison found. */
export async function insertComparison(db: Executor, values: typeof comparison.$inferInsert): Promise<ComparisonRow> {
  const [row] = await db.insert(comparison).values(values).returning();
  if (row === undefined) throw new Error('a comparison was not stored');
  return row;
}

/** The last comparison of a day. */
export const selectLatest = preparedOne('rails.latest', (db, given: Given<{ provider: string; day: string }>) =>
  db
    .select()
    .from(comparison)
    .where(and(eq(comparison.provider, given.provider), eq(comparison.day, given.day)))
    .orderBy(desc(comparison.id))
    .limit(1),
);
