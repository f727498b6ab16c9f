import { sql } from '#drizzle';
import { index, integer, pgSchema, primaryKey, text } from '#drizzle/pg-core';
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

export const knownAddressesSchema = pgSchema('known_addresses');

/** A credential was used from an address. */
export const knownAddress = knownAddressesSchema.table(
  'known_address',
  {
    /** Whose, e.g. `partner:` and its id; and of each of its keys by itself, with `:` and the key’s id behind. */
    credential: text('credential').notNull(),
    /** Keyed digest of the address: who reads this table learns of none. */
    digest: bytes('digest').notNull(),
    /** To the day. */
    lastUsedAt: moment('last_used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.credential, t.digest] }), index('known_address_last_used').on(t.lastUsedAt)],
);
