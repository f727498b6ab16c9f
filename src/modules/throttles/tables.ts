import { index, integer, pgSchema } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/columns.ts';

export const throttlesSchema = pgSchema('throttles');

/** How much of a limit somebody has spent. Unlogged: after a crash everybody begins anew, and no count waits for the disk. */
export const counter = throttlesSchema.table(
  'counter',
  {
    /** Keyed digest of the limit's name and of who or what is counted. */
    key: bytes('key').primaryKey(),
    spent: integer('spent').notNull(),
    /** Until then more is refused. */
    closedUntil: moment('closed_until'),
    /** Then it counts from nothing. */
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('counter_expiry').on(t.expiresAt)],
);
