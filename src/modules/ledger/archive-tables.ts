import { sql } from '#drizzle';
import { bigint, check, primaryKey, text } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/columns.ts';
import { ledgerSchema, money } from './ledger-schema.ts';

/** A part of the entries that was taken off, oldest first without a gap. Written by the owner of the tables, and never changed. */
export const archive = ledgerSchema.table('archive', {
  /** Nothing dated before it is among the entries any more. */
  endsAt: moment('ends_at').primaryKey(),
  /** Null for the first, which has everything before its end. */
  startsAt: moment('starts_at'),
  /** The table that it was. */
  part: text('part').notNull().unique(),
  entries: bigint('entries', { mode: 'number' }).notNull(),
  /** SHA-256 of the manifest that stands with its files. */
  manifestDigest: bytes('manifest_digest').notNull(),
  /** SHA-256 of what is carried of it, as `ledger.carried_digest` writes it. */
  carriedDigest: bytes('carried_digest').notNull(),
  archivedAt: moment('archived_at').notNull().default(sql`clock_timestamp()`),
});

/** What stays of an archived part: a row for each account that it moved. Never changed, and never deleted. */
export const carried = ledgerSchema.table(
  'carried',
  {
    /** Not a foreign key: it would lock the rows of accounts that move meanwhile. Accounts are never deleted. */
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    endsAt: moment('ends_at')
      .notNull()
      .references(() => archive.endsAt),
    entries: bigint('entries', { mode: 'number' }).notNull(),
    /** Unsigned. */
    debits: money('debits').notNull(),
    credits: money('credits').notNull(),
    /** The balance before, and with the number and the time of the last entry after; null for a deferred account. */
    opening: money('opening'),
    version: bigint('version', { mode: 'number' }),
    closing: money('closing'),
    movedAt: moment('moved_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.endsAt] }),
    check(
      'carried_sound',
      sql`${t.entries} > 0 and least(${t.debits}, ${t.credits}) >= 0
        and case when ${t.version} is null then num_nonnulls(${t.opening}, ${t.closing}) = 0
          else coalesce(${t.closing} = ${t.opening} + ${t.credits} - ${t.debits}, false) end`,
    ),
  ],
);
