import { sql } from '#drizzle';
import { bigint, date, index, integer, jsonb, pgSchema, text, uuid } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';

export const railsSchema = pgSchema('rail_comparisons');

/** What differed when a provider's list of a day was compared with ours. Amounts are minor units of naira. */
export interface RailDifference {
  kind: 'TRANSFER' | 'CHARGE';
  /** Of a row that cannot be read what names it, as text; empty where nothing does. */
  reference: string;
  /**
   * WE_LACKED: it is booked now. THEY_LACK: the provider does not know it, also when it is asked, or has not ended what has ended
   * here. UNREADABLE: it has a row that is not as documented. Any other: what the inbox says of it.
   */
  what: string;
  ours?: string | undefined;
  theirs?: string | undefined;
}

/** A comparison of a provider's list of a day in Africa/Lagos with ours. */
export const comparison = railsSchema.table(
  'comparison',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    provider: text('provider').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    /** Who asked for it: an operator, or `nightly`. */
    actor: text('actor').notNull(),
    theirCount: integer('their_count').notNull(),
    theirAmount: bigint('their_amount', { mode: 'bigint' }).notNull(),
    ourCount: integer('our_count').notNull(),
    ourAmount: bigint('our_amount', { mode: 'bigint' }).notNull(),
    differences: jsonb('differences').$type<RailDifference[]>().notNull(),
    comparedAt: moment('compared_at').notNull(),
  },
  (t) => [index('comparison_day').on(t.provider, t.day, t.id), index('comparison_provider').on(t.provider, t.id)],
);
