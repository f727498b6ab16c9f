import type { JWK } from 'jose';
import { sql } from '#drizzle';
import { check, jsonb, pgSchema, text, uniqueIndex } from '#drizzle/pg-core';
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
    /** The whole pair while it may sign; of a key that signs no more the public half alone, which shows that it was ours. */
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
