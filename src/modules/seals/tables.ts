import { sql } from '#drizzle';
import { bigint, check, pgSchema, text, unique } from '#drizzle/pg-core';
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
