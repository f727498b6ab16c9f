import { and, count, desc, eq, gte, inArray, lt, or, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { entry } from './tables.ts';

export type Entry = typeof entry.$inferSelect;

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** From this moment on, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Appends an entry. */
export async function insertEntry(db: Executor, values: typeof entry.$inferInsert): Promise<void> {
  await db.insert(entry).values(values);
}

/** Entries, newest first. `count` is of all that match. */
export async function selectEntries(
  db: Executor,
  { actor, action, target, from, to }: AuditFilter,
  page: { limit: number; offset: number },
): Promise<{ items: Entry[]; count: number }> {
  const matching = and(
    // An operator's name stands behind their id.
    actor === undefined ? undefined : or(eq(entry.actor, actor), sql`split_part(${entry.actor}, ' ', 1) = ${actor}`),
    action === undefined ? undefined : eq(entry.action, action),
    target === undefined ? undefined : eq(entry.target, target),
    from && gte(entry.at, from),
    to && lt(entry.at, to),
  );
  const items = await db
    .select()
    .from(entry)
    .where(matching)
    .orderBy(desc(entry.id))
    .limit(page.limit)
    .offset(page.offset);
  const [total] = await db.select({ count: count() }).from(entry).where(matching);
  return { items, count: total?.count ?? 0 };
}

/** Entries about any of these targets, or that say they found or showed this one, newest first. `count` is of all. */
export async function selectAbout(
  db: Executor,
  { targets, found }: { targets: readonly string[]; found: string },
  limit: number,
): Promise<{ items: Entry[]; count: number }> {
  const isFound = and(
    eq(entry.target, 'customers'),
    sql`${entry.after} @> ${JSON.stringify({ found: [found] })}::jsonb`,
  );
  const matching = or(inArray(entry.target, [...targets]), isFound);
  const items = await db.select().from(entry).where(matching).orderBy(desc(entry.id)).limit(limit);
  const [total] = await db.select({ count: count() }).from(entry).where(matching);
  return { items, count: total?.count ?? 0 };
}
