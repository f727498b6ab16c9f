import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgSchema, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { customer } from '#modules/customers';
import { partner } from '#modules/partners';
import { bytes, moment } from '../../lib/columns.ts';

export const onboardingSchema = pgSchema('onboarding');

/** A PayTag creation under way: bound to its partner, 30 minutes long, known by the digest of its id. */
export const creationSession = onboardingSchema.table(
  'creation_session',
  {
    digest: bytes('digest').primaryKey(),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    /** The customer who exists already with this BVN, and is setting her password. */
    customerId: uuid('customer_id').references(() => customer.id),
    bvnSealed: bytes('bvn_sealed').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    otherName: text('other_name'),
    dateOfBirthSealed: bytes('date_of_birth_sealed').notNull(),
    /** Where an OTP may go: for a customer who exists, her addresses on record and no other. */
    phoneSealed: bytes('phone_sealed'),
    emailSealed: bytes('email_sealed'),
    paytag: text('paytag'),
    status: text('status', { enum: ['STARTED', 'VALIDATED', 'COMPLETED'] })
      .notNull()
      .default('STARTED'),
    otpDigest: bytes('otp_digest'),
    otpChannel: text('otp_channel', { enum: ['sms', 'whatsapp', 'email'] }),
    otpReference: text('otp_reference'),
    otpExpiresAt: moment('otp_expires_at'),
    otpSends: smallint('otp_sends').notNull().default(0),
    /** The last send, by channel: ISO 8601. */
    otpSentAt: jsonb('otp_sent_at').$type<Record<string, string>>().notNull().default(sql`'{}'`),
    otpFailures: smallint('otp_failures').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    check('creation_session_status', sql`${t.status} in ('STARTED', 'VALIDATED', 'COMPLETED')`),
    index('creation_session_expiry').on(t.expiresAt),
  ],
);
