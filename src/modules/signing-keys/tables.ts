import type { JWK } from 'jose';
import { sql } from '#drizzle';
import { check, jsonb, pgSchema, text, uniqueIndex } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/columns.ts';

export const signingKeysSchema = pgSchema('signing_keys');

/** ES256 key pairs. One signs, the next is published before its turn, a retired one verifies until its tokens have expired. */
export const signingKey = signingKeysSchema.table(
  'signing_key',
  {
    kid: text('kid').primaryKey(),
    publicJwk: jsonb('public_jwk').$type<JWK>().notNull(),
    privateJwkSealed: bytes('private_jwk_sealed').notNull(),
    status: text('status', { enum: ['CURRENT', 'NEXT', 'RETIRED'] }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    retiredAt: moment('retired_at'),
  },
  (t) => [
    check('signing_key_status', sql`${t.status} in ('CURRENT', 'NEXT', 'RETIRED')`),
    uniqueIndex('one_current').on(t.status).where(sql`${t.status} = 'CURRENT'`),
    uniqueIndex('one_next').on(t.status).where(sql`${t.status} = 'NEXT'`),
  ],
);
