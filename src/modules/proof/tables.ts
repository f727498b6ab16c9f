import { sql } from '#drizzle';
import { bigint, boolean, check, index, jsonb, pgSchema, text, unique } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';

export const sealsSchema = pgSchema('seals');

/** The chain, from the first hour on without a gap. Never changed, never deleted: a trigger refuses it. */
export const seal = sealsSchema.table(
  'seal',
  {
    number: bigint('number', { mode: 'number' }).primaryKey(),
    period: text('period', { enum: ['HOUR', 'DAY'] }).notNull(),
    /** Null for the first, which covers all that is dated before its end. */
    startsAt: moment('starts_at'),
    endsAt: moment('ends_at').notNull(),
    /** What is published and kept elsewhere. It says all that the other columns say. */
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

/** What a check said of one invariant. */
export interface StoredResult {
  name: string;
  violations: number;
  durationMs: number;
  timedOut?: true;
  error?: string;
  /** Of one that is told slice by slice: when each of those that are over was last found right, by the ends of both. */
  found?: Readonly<Record<string, string>>;
  remembered?: Remembered;
}

/** Slices that were not looked at again, since an earlier check had found them right. */
export interface Remembered {
  slices: number;
  /** When the first of them was looked at, in ISO 8601. */
  since: string;
}

/** A check that has ended. */
export const run = integritySchema.table(
  'run',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** It looked at what is new since then; null: at everything. */
    since: moment('since'),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at').notNull(),
    /** True when every invariant was told to its end and none is broken. */
    ok: boolean('ok').notNull(),
    results: jsonb('results').$type<StoredResult[]>().notNull(),
  },
  (t) => [index('run_started').on(t.startedAt)],
);
