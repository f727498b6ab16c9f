import { sql } from '#drizzle';
import { boolean, check, index, jsonb, pgSchema, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/clients';
import { customer } from '#modules/customers';

export const onboardingSchema = pgSchema('onboarding');

/** A PayTag creation, a password reset or a change of a contact under way: bound to its partner, 30 minutes long, known by the digest of its id. */
export const creationSession = onboardingSchema.table(
  'creation_session',
  {
    digest: bytes('digest').primaryKey(),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    kind: text('kind', { enum: ['CREATION', 'PASSWORD_RESET', 'CONTACT_CHANGE'] })
      .notNull()
      .default('CREATION'),
    /** The customer who exists already, and is setting their password. */
    customerId: uuid('customer_id').references(() => customer.id),
    /** A creation's; a reset asks for none. */
    bvnSealed: bytes('bvn_sealed'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    otherName: text('other_name'),
    /** The register holds the other name. */
    isOtherNameConfirmed: boolean('is_other_name_confirmed').notNull().default(false),
    dateOfBirthSealed: bytes('date_of_birth_sealed'),
    /** Where an OTP may go: for a customer who exists, the addresses on record and no other. */
    phoneSealed: bytes('phone_sealed'),
    emailSealed: bytes('email_sealed'),
    /** An OTP may go to the e-mail address too. One that is not proven is kept, and takes none. */
    isEmailProven: boolean('is_email_proven').notNull().default(false),
    paytag: text('paytag'),
    status: text('status', { enum: ['STARTED', 'VALIDATED', 'COMPLETED'] })
      .notNull()
      .default('STARTED'),
    /** Of the code that was sent last, an HMAC; null when there is none to give. */
    codeDigest: bytes('otp_digest'),
    codeChannel: text('otp_channel', { enum: ['sms', 'whatsapp', 'email'] }),
    codeReference: text('otp_reference'),
    codeExpiresAt: moment('otp_expires_at'),
    sends: smallint('otp_sends').notNull().default(0),
    /** The last send, by channel: ISO 8601. */
    sentAt: jsonb('otp_sent_at').$type<Record<string, string>>().notNull().default(sql`'{}'`),
    wrongCodes: smallint('otp_failures').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Of whose it is, what was given in it and whether it is proven (`store.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    check('creation_session_status', sql`${t.status} in ('STARTED', 'VALIDATED', 'COMPLETED')`),
    check(
      'creation_session_kind',
      sql`case ${t.kind} when 'CREATION' then num_nulls(${t.bvnSealed}, ${t.dateOfBirthSealed}) = 0
        when 'PASSWORD_RESET' then ${t.customerId} is not null
        when 'CONTACT_CHANGE' then ${t.customerId} is not null else false end`,
    ),
    index('creation_session_customer').on(t.customerId),
    index('creation_session_expiry').on(t.expiresAt),
  ],
);
