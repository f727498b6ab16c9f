import { sql } from '#drizzle';
import { check, pgSchema, smallint, text } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';

export const installationSchema = pgSchema('installation');

/** One row: the environment of this database, and the root key that wraps its keys. */
export const stamp = installationSchema.table(
  'stamp',
  {
    id: smallint('id').primaryKey().default(1),
    environment: text('environment').notNull(),
    masterKeyFingerprint: text('master_key_fingerprint').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [check('one_row', sql`${t.id} = 1`)],
);
