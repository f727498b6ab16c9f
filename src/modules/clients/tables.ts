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
    /** SHA-256 of the client id, by which it is found. The id itself is kept sealed, with the receiver. */
    clientIdDigest: bytes('client_id_digest').notNull().unique(),
    redirectUrl: text('redirect_url').notNull(),
    /** Of who it is and where its customers return to. */
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
     * SHA-256 of the client id, by which it is found; null for the built-in application, which never asks for a token. The id
     * itself is kept sealed, with the receiver.
     */
    clientIdDigest: bytes('client_id_digest').unique(),
    secretDigest: bytes('secret_digest'),
    /** The secret before the last rotation, accepted until `previousSecretUntil`. */
    previousSecretDigest: bytes('previous_secret_digest'),
    previousSecretUntil: moment('previous_secret_until'),
    /** A token is good while this is what it was when it was issued. */
    tokenGeneration: integer('token_generation').notNull().default(0),
    emailSealed: bytes('email_sealed'),
    imageUrl: text('image_url'),
    /** Pages of its own to which the approval pages may lead a customer back: origin and path. */
    returnUrls: text('return_urls').array().notNull().default(sql`'{}'::text[]`),
    /** Of who it is, its secrets and these pages; null for the built-in one. */
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
    /** Shown to its own application alone. */
    emailSealed: bytes('email_sealed'),
    imageUrl: text('image_url'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Of whose subject it is, and who (`subject-route.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [unique('subject_external_id').on(t.applicationId, t.externalId)],
);

/** Whose contact is written to. */
const ownerKinds = ['PARTNER', 'APPLICATION'] as const;

/** What a letter may be about that has a link in it, which is good once. */
const linkKinds = ['CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET'] as const;

export type LinkKind = (typeof linkKinds)[number];

/** What a letter is about. */
const letterKinds = [...linkKinds, 'PARTNER_CHANGED', 'MONEY_FREED', 'LIMIT_LIFTED'] as const;

/** What a letter quotes, none of it secret. */
export interface LetterFacts {
  ownerName: string;
  /** The address, masked. */
  to: string;
  /** Of an API key. */
  keyId?: string;
  /** Until when the secret before it is taken as well. */
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
    kind: text('kind', { enum: letterKinds }).notNull(),
    facts: jsonb('facts').$type<LetterFacts>().notNull(),
    /** The address. Dropped once the mail is sent or given up. */
    recipientSealed: bytes('recipient_sealed'),
    /** By which a proof is bound to the address that it was mailed to. */
    addressDigest: bytes('address_digest').notNull(),
    happenedAt: moment('happened_at').notNull(),
    /** How often a worker claimed it. */
    attempts: smallint('attempts').notNull().default(0),
    /** When a worker may claim it; while one has it, when that worker counts as dead. Null: nothing is left to do. */
    dueAt: moment('due_at'),
    sentAt: moment('sent_at'),
    /** Until when its link is good; null: it has none. */
    linkUntil: moment('link_until'),
    /** SHA-256 of the token in the link that was mailed last. */
    tokenDigest: bytes('token_digest').unique(),
    /** What the link shows. Dropped once it has, or can no more. */
    secretSealed: bytes('secret_sealed'),
    openedAt: moment('opened_at'),
    /** The request of an operator that it comes of: done twice, it is one letter. */
    cause: uuid('cause').unique(),
    /** Of the token, and of what it opens (`store.ts`); null: there was none. */
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

/** The address of an owner's contact that has proven to be theirs: by a link that was mailed to it. */
export const provenContact = lettersSchema.table('proven_contact', {
  ownerId: uuid('owner_id').primaryKey(),
  /** Keyed digest of owner and address. */
  addressDigest: bytes('address_digest').notNull(),
  /** Of this row: such a digest stands in each letter too, proven or not. */
  routingMac: bytes('routing_mac').notNull(),
  provenAt: moment('proven_at').notNull(),
});
