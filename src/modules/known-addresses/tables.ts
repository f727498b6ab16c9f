import { index, pgSchema, primaryKey, text } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

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
