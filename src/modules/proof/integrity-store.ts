import { desc, isNull } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { preparedColumns, preparedOne, preparedText, type Written } from '#lib/postgres/prepared.ts';
import { type Remembered, run } from './tables.ts';

export type RunRow = typeof run.$inferSelect;

/** Stores a finished check. */
export async function insertRun(db: Executor, values: typeof run.$inferInsert): Promise<void> {
  await add(db, values, {});
}

const add = preparedColumns('integrity.add', run, (db, written: Written<typeof run.$inferInsert>) =>
  db.insert(run).values(written),
);

/** The last finished check, and the last finished whole check. */
export async function selectLastRuns(
  db: Executor,
): Promise<{ last: RunRow | undefined; lastWhole: RunRow | undefined }> {
  const [last, lastWhole] = await Promise.all([newest(db, {}), newestWhole(db, {})]);
  return { last, lastWhole };
}

const newest = preparedOne('integrity.last', (db) => db.select().from(run).orderBy(desc(run.id)).limit(1));
const newestWhole = preparedOne('integrity.last-whole', (db) =>
  db.select().from(run).where(isNull(run.since)).orderBy(desc(run.id)).limit(1),
);

export interface InvariantState {
  name: string;
  /** The highest count of the last whole check and those since. */
  violations: number;
  /** One of them did not finish. */
  isUnfinished: boolean;
  /** The slices that the last whole check did not check again. */
  remembered: Remembered | null;
}

const states = preparedText<{ name: string; violations: number; unfinished: boolean; remembered: Remembered | null }>(
  'integrity.states',
  `select x.name, max(x.violations) as violations, bool_or(x."timedOut" is true or x.error is not null) as unfinished,
      (array_agg(x.remembered) filter (where x.remembered is not null))[1] as remembered
    from integrity.run r, jsonb_to_recordset(r.results) as x(name text, violations int, "timedOut" boolean, error text, remembered jsonb)
    where r.id >= coalesce((select max(id) from integrity.run where since is null), 0)
    group by 1 order by 1`,
);

/** The results of the last whole check and those since, for each invariant; before the first whole check, of all checks. */
export async function selectStates(db: Executor): Promise<InvariantState[]> {
  const rows = await states(db, []);
  return rows.map(({ unfinished, ...state }) => ({ ...state, isUnfinished: unfinished }));
}

const checkedAt = preparedText<{ at: string }>(
  'integrity.checked-at',
  `select extract(epoch from finished_at)::float8 as at from integrity.run where since is null order by id desc limit 1`,
);

/** When the last whole check ended, whatever it found; undefined before the first. */
export async function selectCheckedAt(db: Executor): Promise<Date | undefined> {
  const [last] = await checkedAt(db, []);
  return last === undefined ? undefined : new Date(Number(last.at) * 1000);
}

export interface KindState {
  kind: 'whole' | 'recent';
  /** When the last one that found nothing ended. */
  lastSuccessAt: Date | null;
  /** How long the last one took. */
  durationMs: number;
}

const kinds = preparedText<{ kind: KindState['kind']; success: string | null; ms: number }>(
  'integrity.kinds',
  `select case when since is null then 'whole' else 'recent' end as kind,
      extract(epoch from max(finished_at) filter (where ok))::float8 as success,
      ((array_agg(extract(epoch from finished_at - started_at) order by id desc))[1] * 1000)::float8 as ms
    from integrity.run group by 1 order by 1`,
);

/** The last results of each kind of check that has run. */
export async function selectKinds(db: Executor): Promise<KindState[]> {
  const rows = await kinds(db, []);
  return rows.map(({ kind, success, ms }) => ({
    kind,
    lastSuccessAt: success === null ? null : new Date(Number(success) * 1000),
    durationMs: ms,
  }));
}
