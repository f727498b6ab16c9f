import { sql } from '#drizzle';
import { boolean, check, index, integer, jsonb, pgSchema, smallint, text, unique, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { applicationStatuses } from './application-status.ts';

export const partnerStatuses = ['ACTIVE', 'SUSPENDED'] as const;

export const partnersSchema = pgSchema('partners');

export const partner = partnersSchema.table(
  'partner',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** SHA-256 of the client id, for lookup. The id itself is kept sealed, with the receiver. */
    clientIdDigest: bytes('client_id_digest').notNull().unique(),
    redirectUrl: text('redirect_url').notNull(),
    /** Covers who it is and where its customers return to. */
    routingMac: bytes('routing_mac').notNull(),
    /** The contact for notices about its webhooks. */
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

/** A key with which a partner's calls are authenticated. Two may be active, so that a partner can switch without a gap. */
export const apiKey = partnersSchema.table(
  'api_key',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    digest: bytes('digest').notNull().unique(),
    /** Covers the owner. */
    routingMac: bytes('routing_mac').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
  },
  (t) => [index('api_key_partner').on(t.partnerId)],
);

/** A link to a partner's webhook pages that was closed before it expired: neither it nor its sessions open anything. */
export const closedPortalLink = partnersSchema.table(
  'closed_portal_link',
  {
    id: bytes('id').primaryKey(),
    /** When the link expires anyway, and this row can go. */
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('closed_portal_link_expiry').on(t.expiresAt)],
);

/** The built-in application `PayTag`, namespace `paytag`, whose subjects are the customers. A migration inserts it. */
export const payTagApplicationId = '7a79a6f0-0000-4000-8000-000000000001';

export const applicationsSchema = pgSchema('applications');

export const application = applicationsSchema.table(
  'application',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** The part after the @ of a qualified address. */
    namespace: text('namespace').notNull().unique(),
    /**
     * SHA-256 of the client id, for lookup; null for the built-in application, which never requests a token. The id
     * itself is kept sealed, with the receiver.
     */
    clientIdDigest: bytes('client_id_digest').unique(),
    secretDigest: bytes('secret_digest'),
    /** The secret before the last rotation, accepted until `previousSecretUntil`. */
    previousSecretDigest: bytes('previous_secret_digest'),
    previousSecretUntil: moment('previous_secret_until'),
    /** A token is valid only for the generation in which it was issued. */
    tokenGeneration: integer('token_generation').notNull().default(0),
    emailSealed: bytes('email_sealed'),
    imageUrl: text('image_url'),
    /** Pages of its own to which the approval pages may send a customer back: origin and path. */
    returnUrls: text('return_urls').array().notNull().default(sql`'{}'::text[]`),
    /** Covers who it is, its secrets and these pages; null for the built-in one. */
    routingMac: bytes('routing_mac'),
    status: text('status', { enum: applicationStatuses }).notNull(),
    /** True for `PayTag`, whose subjects are the customers. */
    builtIn: boolean('built_in').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    check('application_status', sql`${t.status} in ('PENDING', 'ACTIVE', 'SUSPENDED')`),
    index('application_name').using('btree', sql`lower(${t.name}) text_pattern_ops`),
    index('application_waiting').on(t.id).where(sql`${t.status} = 'PENDING'`),
    index('application_registrant')
      .on(t.createdAt)
      .where(
        sql`${t.status} = 'PENDING' and not ${t.builtIn} and (${t.emailSealed} is not null or ${t.imageUrl} is not null)`,
      ),
  ],
);

/** A user of an application, who may own tags. */
export const subject = applicationsSchema.table(
  'subject',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id),
    /** The application's own id for them; for the built-in application, the customer's id. */
    externalId: text('external_id').notNull(),
    displayName: text('display_name'),
    /** Shown only to its own application. */
    emailSealed: bytes('email_sealed'),
    imageUrl: text('image_url'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Covers the application, and the person behind the subject (`subjectRoute`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [unique('subject_external_id').on(t.applicationId, t.externalId)],
);

/** The owners whose contacts receive mail. */
const ownerKinds = ['PARTNER', 'APPLICATION'] as const;

/** Kinds of mail that carry a link, which works once. */
const linkKinds = ['CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET'] as const;

export type LinkKind = (typeof linkKinds)[number];

/** Kinds of mail. */
const mailKinds = [...linkKinds, 'PARTNER_CHANGED', 'MONEY_FREED', 'LIMIT_LIFTED'] as const;

/** What a mail quotes, none of it secret. */
export interface MailFacts {
  ownerName: string;
  /** The address, masked. */
  to: string;
  /** Of an API key. */
  keyId?: string;
  /** Until when the previous secret is accepted too. */
  previousUntil?: string;
  /** What was changed or freed, in words. */
  what?: string;
}

export const lettersSchema = pgSchema('letters');

/** A mail to the contact of a partner or an application, and the secret that a link in it shows once. */
export const letter = lettersSchema.table(
  'letter',
  {
    id: uuid('id').primaryKey(),
    ownerKind: text('owner_kind', { enum: ownerKinds }).notNull(),
    ownerId: uuid('owner_id').notNull(),
    kind: text('kind', { enum: mailKinds }).notNull(),
    facts: jsonb('facts').$type<MailFacts>().notNull(),
    /** The address. Dropped once the mail is sent or has failed. */
    recipientSealed: bytes('recipient_sealed'),
    /** Binds a proof to the address that it was mailed to. */
    addressDigest: bytes('address_digest').notNull(),
    happenedAt: moment('happened_at').notNull(),
    /** How often a worker claimed it. */
    attempts: smallint('attempts').notNull().default(0),
    /** When a worker may claim it; while claimed, the end of the lease. Null: done. */
    dueAt: moment('due_at'),
    sentAt: moment('sent_at'),
    /** When its link expires; null: no link. */
    linkUntil: moment('link_until'),
    /** SHA-256 of the token in the link that was mailed last. */
    tokenDigest: bytes('token_digest').unique(),
    /** The secret that the link shows. Dropped once shown or expired. */
    secretSealed: bytes('secret_sealed'),
    openedAt: moment('opened_at'),
    /** The approval request that caused it: executed twice, it queues one mail. */
    cause: uuid('cause').unique(),
    /** Covers the token and what it opens (`mail-store.ts`); null: no token yet. */
    routingMac: bytes('routing_mac'),
  },
  (t) => [
    check('letter_owner_kind', sql`${t.ownerKind} in ('PARTNER', 'APPLICATION')`),
    check(
      'letter_kind',
      sql`${t.kind} in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET', 'PARTNER_CHANGED', 'MONEY_FREED', 'LIMIT_LIFTED')`,
    ),
    check('letter_due', sql`(${t.dueAt} is null) = (${t.recipientSealed} is null)`),
    check(
      'letter_link',
      sql`case when ${t.linkUntil} is null then num_nonnulls(${t.tokenDigest}, ${t.secretSealed}, ${t.openedAt}) = 0
            else ${t.kind} in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET') end`,
    ),
    check('letter_opened', sql`${t.openedAt} is null or ${t.secretSealed} is null`),
    index('letter_due_at').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('letter_owner').on(t.ownerId, t.happenedAt),
    index('letter_happened').on(t.happenedAt),
    index('letter_kept').on(t.linkUntil).where(sql`${t.secretSealed} is not null`),
  ],
);

/** An owner's proven contact address: its owner followed a link that was mailed to it. */
export const provenContact = lettersSchema.table('proven_contact', {
  ownerId: uuid('owner_id').primaryKey(),
  /** Keyed digest of owner and address. */
  addressDigest: bytes('address_digest').notNull(),
  /** Covers this row: every mail holds such a digest too, proven or not. */
  routingMac: bytes('routing_mac').notNull(),
  provenAt: moment('proven_at').notNull(),
});
