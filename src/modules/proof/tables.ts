import { sql } from '#drizzle';
import { bigint, boolean, check, index, jsonb, pgSchema, text, unique } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';

export const sealsSchema = pgSchema('seals');

/** The chain of seals, without a gap from the first hour on. A trigger refuses changes and deletes. */
export const seal = sealsSchema.table(
  'seal',
  {
    number: bigint('number', { mode: 'number' }).primaryKey(),
    period: text('period', { enum: ['HOUR', 'DAY'] }).notNull(),
    /** Null for the first, which covers all rows dated before its end. */
    startsAt: moment('starts_at'),
    endsAt: moment('ends_at').notNull(),
    /** The published text, of which copies are kept elsewhere. It contains all the other columns. */
    jws: text('jws').notNull(),
    sealedAt: moment('sealed_at').notNull(),
  },
  (t) => [
    unique('seal_period').on(t.period, t.endsAt),
    check('seal_kind', sql`${t.period} in ('HOUR', 'DAY')`),
    check('seal_first', sql`(${t.startsAt} is null) = (${t.number} = 1)`),
  ],
);

export const integritySchema = pgSchema('integrity');

/** The result of a check for one invariant. */
export interface StoredResult {
  name: string;
  violations: number;
  durationMs: number;
  timedOut?: true;
  error?: string;
  /** For an invariant that is checked in slices: when each past slice was last found right, by its end. */
  found?: Readonly<Record<string, string>>;
  remembered?: Remembered;
}

/** Slices that were not checked again, since an earlier check had found them right. */
export interface Remembered {
  slices: number;
  /** When the oldest of them was checked, in ISO 8601. */
  since: string;
}

/** A finished check. */
export const run = integritySchema.table(
  'run',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** It checked rows that are new since then; null: all rows. */
    since: moment('since'),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at').notNull(),
    /** True when the check of every invariant finished and none is broken. */
    ok: boolean('ok').notNull(),
    results: jsonb('results').$type<StoredResult[]>().notNull(),
  },
  (t) => [index('run_started').on(t.startedAt)],
);
