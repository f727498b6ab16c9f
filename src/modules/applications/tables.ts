import { sql } from '#drizzle';
import { boolean, check, index, integer, jsonb, pgSchema, text, unique, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { applicationStatuses } from './application-status.ts';

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
