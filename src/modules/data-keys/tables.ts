import { sql } from '#drizzle';
import { bigint, check, integer, pgSchema, text, uniqueIndex } from '#drizzle/pg-core';
import { keyUses } from '#lib/crypto/keyring.ts';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const dataKeyStatuses = ['NEXT', 'CURRENT', 'RETIRED', 'DESTROYED'] as const;

export const dataKeysSchema = pgSchema('data_keys');

/** The keys that seal, index and sign, wrapped by the root key. What is sealed names its key by `id`. */
export const dataKey = dataKeysSchema.table(
  'data_key',
  {
    id: integer('id').primaryKey(),
    use: text('use', { enum: keyUses }).notNull(),
    status: text('status', { enum: dataKeyStatuses }).notNull(),
    /** Null once it is destroyed. */
    wrapped: bytes('wrapped'),
    /** Which root key wrapped it. */
    rootKey: text('root_key').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    retiredAt: moment('retired_at'),
    destroyedAt: moment('destroyed_at'),
    /** How many values it has sealed: each process adds its own up now and then. */
    sealed: bigint('sealed', { mode: 'number' }).notNull().default(0),
  },
  (t) => [
    check('data_key_use', sql`${t.use} in ('SEAL', 'INDEX', 'SIGN', 'POSTING')`),
    check('data_key_status', sql`${t.status} in ('NEXT', 'CURRENT', 'RETIRED', 'DESTROYED')`),
    check('data_key_destroyed', sql`(${t.status} = 'DESTROYED') = (${t.wrapped} is null)`),
    uniqueIndex('data_key_current').on(t.use).where(sql`${t.status} = 'CURRENT'`),
    uniqueIndex('data_key_next').on(t.use).where(sql`${t.status} = 'NEXT'`),
  ],
);
