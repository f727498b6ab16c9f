import { sql } from '#drizzle';
import { index, integer, pgSchema, text } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const throttlesSchema = pgSchema('throttles');

/** How much of a limit has been used. A crash loses no count: it would let as many guesses through anew. */
export const counter = throttlesSchema.table(
  'counter',
  {
    /** Keyed digest of the limit's name and of who or what is counted. */
    key: bytes('key').primaryKey(),
    spent: integer('spent').notNull(),
    /** Until then it refuses. */
    closedUntil: moment('closed_until'),
    /** From then on it counts from zero. */
    expiresAt: moment('expires_at').notNull(),
    /** What is counted, for whoever asks what is refused now. */
    name: text('name'),
    /** Ids of ours that the count is of. Never who somebody is: that stands in the digest alone. */
    about: text('about'),
  },
  (t) => [
    index('counter_expiry').on(t.expiresAt),
    index('counter_refusing').on(t.closedUntil).where(sql`${t.closedUntil} is not null and ${t.name} is not null`),
  ],
);
