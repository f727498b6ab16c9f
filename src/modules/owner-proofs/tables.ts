import { sql } from '#drizzle';
import { check, index, jsonb, pgSchema, smallint, text } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const ownerProofsSchema = pgSchema('owner_proofs');

/** The one-time code that proves a tag's owner for one purpose, and how often one was sent for it. */
export const ownerCode = ownerProofsSchema.table(
  'owner_code',
  {
    /** What the code is for, e.g. `consent:` and its id. It proves nothing else. */
    purpose: text('purpose').primaryKey(),
    /** An HMAC of the code sent last; null when it was used, or when there was no address to send it to. */
    codeDigest: bytes('code_digest'),
    codeExpiresAt: moment('code_expires_at'),
    sends: smallint('sends').notNull().default(0),
    /** The last send, by channel: ISO 8601. */
    sentAt: jsonb('sent_at').$type<Record<string, string>>().notNull().default(sql`'{}'`),
    /** When the purpose expires, and this row with it. */
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    check('owner_code_expires', sql`${t.codeDigest} is null or ${t.codeExpiresAt} is not null`),
    index('owner_code_expiry').on(t.expiresAt),
  ],
);
