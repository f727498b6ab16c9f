import { and, desc, eq, gte, lte, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, preparedColumns, preparedOne, preparedText, type Written } from '#lib/postgres/prepared.ts';
import { comparison } from './tables.ts';

export type ComparisonRow = typeof comparison.$inferSelect;

/** Stores what a comparison found. */
export async function insertComparison(db: Executor, values: typeof comparison.$inferInsert): Promise<ComparisonRow> {
  const [row] = await add(db, values, {});
  if (row === undefined) throw new Error('a comparison was not stored');
  return row;
}

const add = preparedColumns('rails.add', comparison, (db, written: Written<typeof comparison.$inferInsert>) =>
  db.insert(comparison).values(written).returning(),
);

/** The last comparison of a day. */
export const selectLatest = preparedOne('rails.latest', (db, given: Given<{ provider: string; day: string }>) =>
  db
    .select()
    .from(comparison)
    .where(and(eq(comparison.provider, given.provider), eq(comparison.day, given.day)))
    .orderBy(desc(comparison.id))
    .limit(1),
);

/** The last comparison of the latest day that was compared. */
export const selectLastDay = preparedOne('rails.last-day', (db, given: Given<{ provider: string }>) =>
  db
    .select()
    .from(comparison)
    .where(eq(comparison.provider, given.provider))
    .orderBy(desc(comparison.day), desc(comparison.id))
    .limit(1),
);

const uncompared = preparedText<{ day: string }>(
  'rails.uncompared',
  `select d.day::text as day from (
      select $3::date - n as day from generate_series(0, $2::int - 1) n) d
    where (d.day = $3::date or exists (select from rail_comparisons.comparison e where e.provider = $1 and e.day <= d.day))
      and not exists (select from rail_comparisons.comparison c where c.provider = $1 and c.day = d.day
        and c.compared_at >= (d.day + 1)::timestamp at time zone 'Africa/Lagos')
    order by d.day`,
);

/**
 * Days of a provider that were not compared since they ended, the oldest first: this one, and those before it from the first
 * that was ever compared.
 *
 * @param max how many days are looked at
 */
export const selectUncompared = async (
  db: Executor,
  { provider, day, max }: { provider: string; day: string; max: number },
): Promise<string[]> => (await uncompared(db, [provider, max, day])).map((row) => row.day);

export interface ComparisonFilter {
  provider: string;
  /** Of these days, both included. */
  from?: string | undefined;
  to?: string | undefined;
}

const listed = alias(comparison, 'c');

/** Comparisons with a provider, the last one first. */
export async function selectMatching(
  db: Executor,
  filter: ComparisonFilter,
  page: PageRequest<string>,
): Promise<Listed<ComparisonRow, string>> {
  const { provider, from, to } = filter;
  const row = listed;
  const matches = and(
    from === undefined ? undefined : gte(row.day, from),
    to === undefined ? undefined : lte(row.day, to),
  );
  const within = eq(row.provider, provider);
  const walk = { name: 'comparisons', filter, table: comparison, row, key: row.id, within, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(comparison).where(sql`${comparison.id} in (${keys})`).orderBy(desc(comparison.id)),
    keyOf: ({ id }) => id,
  });
}
