import { sql } from '#drizzle';
import { check, index, pgSchema, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

export const partnerStatuses = ['ACTIVE', 'SUSPENDED'] as const;

export const partnersSchema = pgSchema('partners');

export const partner = partnersSchema.table(
  'partner',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** SHA-256 of the client id, by which it is found. The id itself is kept sealed, with the receiver. */
    clientIdDigest: bytes('client_id_digest').notNull().unique(),
    redirectUrl: text('redirect_url').notNull(),
    /** Of who it is and where its customers return to. */
    routingMac: bytes('routing_mac').notNull(),
    /** Who is told what becomes of its webhooks. */
    contactEmailSealed: bytes('contact_email_sealed'),
    status: text('status', { enum: partnerStatuses }).notNull().default('ACTIVE'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('partner_status', sql`${t.status} in ('ACTIVE', 'SUSPENDED')`),
    index('partner_name').using('btree', sql`lower(${t.name}) text_pattern_ops`),
  ],
);

/** A key with which a partner's calls are authenticated. Two may be active, so that a partner can change over. */
export const apiKey = partnersSchema.table(
  'api_key',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    digest: bytes('digest').notNull().unique(),
    /** Of whose it is. */
    routingMac: bytes('routing_mac').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
  },
  (t) => [index('api_key_partner').on(t.partnerId)],
);

/** A link to a partner's webhook pages that was closed before its hour was over: whatever was made of it opens nothing. */
export const closedPortalLink = partnersSchema.table(
  'closed_portal_link',
  {
    id: bytes('id').primaryKey(),
    /** When it opens nothing of itself, and need not be known any more. */
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('closed_portal_link_expiry').on(t.expiresAt)],
);
