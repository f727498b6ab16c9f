import { and, asc, desc, eq, gt, gte, lt, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { preparedOne } from '#lib/postgres/prepared.ts';
import type { Contents } from './seal.ts';
import { seal } from './tables.ts';

/** Seals in one read. */
const PAGE = 500;

export type SealRow = typeof seal.$inferSelect;

/** Takes the lock for sealing until the transaction ends: false when another process has it. */
export async function tryLockSealing(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('seals', 0)) as locked`,
  );
  return rows[0]?.locked === true;
}

/** The time of the database, which dates its rows. */
export async function databaseTime(on: Executor): Promise<Date> {
  const { rows } = await on.execute<{ now: string }>(sql`select to_json(clock_timestamp()) #>> '{}' as now`);
  return new Date(rows[0]?.now ?? Number.NaN);
}

/** True when no transaction can still commit rows dated before `endsAt`. */
export async function hasEnded(on: Executor, endsAt: Date): Promise<boolean> {
  const { rows } = await on.execute<{ ended: boolean }>(
    sql`select ledger.has_ended(${endsAt.toISOString()}::timestamptz) as ended`,
  );
  return rows[0]?.ended === true;
}

/** Rows and digests of a period as of now. For an hour of millions of rows it takes longer than a request may. */
export async function selectContents(on: Executor, { startsAt, endsAt }: Period): Promise<Contents> {
  const { rows } = await on.execute<{ contents: Contents }>(sql`
    select json_object_agg(name, json_build_object('rows', rows, 'digest', encode(digest, 'hex'))) as contents
      from seals.contents(${startsAt?.toISOString() ?? null}::timestamptz, ${endsAt.toISOString()}::timestamptz)`);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate returned nothing');
  return row.contents;
}

export interface Period {
  startsAt: Date | null;
  endsAt: Date;
}

const newest = preparedOne('seals.last', (db) => db.select().from(seal).orderBy(desc(seal.number)).limit(1));
const newestHour = preparedOne('seals.last-hour', (db) =>
  db.select().from(seal).where(eq(seal.period, 'HOUR')).orderBy(desc(seal.number)).limit(1),
);

/** The newest seal, of either kind or of hours. */
export const selectLast = async (db: Executor, period?: 'HOUR'): Promise<SealRow | undefined> =>
  (period === undefined ? newest : newestHour)(db, {});

/** The JWS of the hours that ended after `from`, up to `to`. */
export async function selectHours(db: Executor, from: Date, to: Date): Promise<string[]> {
  const within = and(eq(seal.period, 'HOUR'), gt(seal.endsAt, from), lt(seal.endsAt, new Date(to.getTime() + 1)));
  const rows = await db.select({ jws: seal.jws }).from(seal).where(within).orderBy(asc(seal.number));
  return rows.map(({ jws }) => jws);
}

/** Appends a seal. */
export async function insertSeal(tx: Tx, values: typeof seal.$inferInsert): Promise<void> {
  await tx.insert(seal).values(values);
}

/** Every seal from a number on, oldest first. */
export async function* everySeal(db: Executor, from: number): AsyncGenerator<SealRow> {
  for (let next = from; ; ) {
    const page = await db.select().from(seal).where(gte(seal.number, next)).orderBy(asc(seal.number)).limit(PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    next = last.number + 1;
  }
}

const listed = alias(seal, 's');

/** Seals, newest first. `count` is of all. */
export async function selectSeals(
  db: Executor,
  { period, ...page }: { period?: SealRow['period'] | undefined } & PageRequest<number>,
): Promise<Listed<SealRow, number>> {
  const matches = period && eq(listed.period, period);
  const walk = { name: 'seals', filter: period, table: seal, row: listed, key: listed.number, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(seal).where(sql`${seal.number} in (${keys})`).orderBy(desc(seal.number)),
    keyOf: ({ number }) => number,
  });
}
