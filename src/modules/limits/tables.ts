import { sql } from '#drizzle';
import { index, integer, pgSchema, primaryKey, text } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const throttlesSchema = pgSchema('throttles');

/** The used part of a limit. Counts survive a crash; otherwise each crash would allow new guesses. */
export const counter = throttlesSchema.table(
  'counter',
  {
    /** Keyed digest of the limit's name and the counted key. */
    key: bytes('key').primaryKey(),
    spent: integer('spent').notNull(),
    /** It refuses until then. */
    closedUntil: moment('closed_until'),
    /** From then on its count starts at zero. */
    expiresAt: moment('expires_at').notNull(),
    /** The limit's name, for the list of refusing limits. */
    name: text('name'),
    /** Our ids in the counted key. Never the identity of a person: only the digest has that. */
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
    /** E.g. `partner:` and its id, followed by `:` and the key’s id for one of several keys. */
    credential: text('credential').notNull(),
    /** Keyed digest of the address: readers of this table learn no address. */
    digest: bytes('digest').notNull(),
    /** To the day. */
    lastUsedAt: moment('last_used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.credential, t.digest] }), index('known_address_last_used').on(t.lastUsedAt)],
);
