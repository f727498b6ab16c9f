import type { JWK } from 'jose';
import { sql } from '#drizzle';
import { bigint, check, integer, jsonb, pgSchema, smallint, text, uniqueIndex } from '#drizzle/pg-core';
import { keyUses } from '#lib/crypto/keyring.ts';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const keyStatuses = ['CURRENT', 'NEXT', 'RETIRED', 'REVOKED'] as const;

export const signingKeysSchema = pgSchema('signing_keys');

/**
 * ES256 key pairs. One signs, the next is published before its turn, a retired one verifies what it signed while it was
 * current, a revoked one verifies nothing.
 */
export const signingKey = signingKeysSchema.table(
  'signing_key',
  {
    kid: text('kid').primaryKey(),
    publicJwk: jsonb('public_jwk').$type<JWK>().notNull(),
    /** The pair while it may sign; afterwards only the public half, which proves that the key was ours. */
    privateJwkSealed: bytes('private_jwk_sealed').notNull(),
    status: text('status', { enum: keyStatuses }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When it stopped signing. */
    retiredAt: moment('retired_at'),
    revokedAt: moment('revoked_at'),
  },
  (t) => [
    check('signing_key_status', sql`${t.status} in ('CURRENT', 'NEXT', 'RETIRED', 'REVOKED')`),
    uniqueIndex('one_current').on(t.status).where(sql`${t.status} = 'CURRENT'`),
    uniqueIndex('one_next').on(t.status).where(sql`${t.status} = 'NEXT'`),
  ],
);

export const dataKeyStatuses = ['NEXT', 'CURRENT', 'RETIRED', 'DESTROYED'] as const;

export const dataKeysSchema = pgSchema('data_keys');

/** The keys that seal, index and sign, wrapped by the root key. Sealed values name their key by `id`. */
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
    /** The number of values it has sealed: each process adds its own regularly. */
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
