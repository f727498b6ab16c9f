import { sql } from '#drizzle';
import {
  bigint,
  boolean,
  check,
  index,
  jsonb,
  pgSchema,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/clients';
import { customer } from '#modules/customers';
import { account } from '#modules/ledger';

/** 1: of a KYC profile; 2: of a customer, whose BVN is verified; 3: by decision of the operator. */
export type Tier = 1 | 2 | 3;

export const walletsSchema = pgSchema('wallets');

/** Serial part of the account numbers we give out. Gaps are harmless, so it is a sequence, without a lock. */
export const nubanSerial = walletsSchema.sequence('nuban_serial', { minValue: 1, maxValue: 999_999_999, cache: 1 });

/** A person without a PayTag for whom a partner keeps a wallet. */
export const kycProfile = walletsSchema.table(
  'kyc_profile',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    /** The partner's own number of this person: what everybody is shown as the profile's ID. */
    number: bigint('number', { mode: 'number' }).notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    otherName: text('other_name'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Its names are a pseudonym, and its wallets have ended. */
    erasedAt: moment('erased_at'),
    /** Of whose it is, and who (`kyc-store.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    check('kyc_profile_number', sql`${t.number} between 1 and ${sql.raw(String(Number.MAX_SAFE_INTEGER))}`),
    unique('kyc_profile_numbered').on(t.partnerId, t.number),
  ],
);

/** The last number that we gave to a profile of a partner. Those that the partner chose itself are passed over. */
export const kycNumbering = walletsSchema.table('kyc_numbering', {
  partnerId: uuid('partner_id')
    .primaryKey()
    .references(() => partner.id),
  last: bigint('last', { mode: 'number' }).notNull(),
});

/** Belongs to one partner, and to one customer or one KYC profile. Its money is the ledger account's. */
export const partnerWallet = walletsSchema.table(
  'partner_wallet',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    reference: text('reference').notNull().unique(),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    customerId: uuid('customer_id').references(() => customer.id),
    kycProfileId: bigint('kyc_profile_id', { mode: 'number' }).references(() => kycProfile.id),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .unique()
      .references(() => account.id),
    nuban: text('nuban').notNull().unique(),
    /** Money sent to the customer's PayTag arrives here: the wallet at the partner where they first proved who they are, or else their first. */
    isPrimary: boolean('is_primary').notNull().default(false),
    /** Of whose it is, which account it has and what it is found by (`wallet-route.ts`). */
    routingMac: bytes('routing_mac').notNull(),
    /** Decides its daily limit where it has none of its own. */
    tier: smallint('tier').$type<Tier>().notNull(),
    /** What the partner keeps with it. */
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    /** Since when the partner knows the customer: it made them, or they onboarded or logged in there. Null: it linked their BVN. */
    knownSince: moment('known_since'),
    /** When the customer first proved at the partner who they are: they onboarded or logged in there. Null: never with this wallet. */
    provenAt: moment('proven_at'),
    /** What it returns to when its customer is released; null: nothing froze it, or the operator has decided since. */
    statusBeforeFreeze: text('status_before_freeze', { enum: ['Enabled', 'Blocked', 'PND', 'PNC'] }),
    revokedAt: moment('revoked_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('wallet_tier', sql`${t.tier} between 1 and 3`),
    check('wallet_status_before_freeze', sql`${t.statusBeforeFreeze} in ('Enabled', 'Blocked', 'PND', 'PNC')`),
    check('wallet_holder', sql`num_nonnulls(${t.customerId}, ${t.kycProfileId}) = 1`),
    uniqueIndex('wallet_of_customer').on(t.partnerId, t.customerId).where(sql`${t.revokedAt} is null`),
    uniqueIndex('primary_wallet').on(t.customerId).where(sql`${t.isPrimary}`),
    index('wallet_partner').on(t.partnerId, t.id),
    index('wallet_customer').on(t.customerId, t.id).where(sql`${t.customerId} is not null`),
  ],
);

export const beneficiariesSchema = pgSchema('beneficiaries');

/** Somebody a customer has paid at a partner, until the customer removes them. No partner sees what was paid at another. */
export const beneficiary = beneficiariesSchema.table(
  'beneficiary',
  {
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    payeeId: uuid('payee_id')
      .notNull()
      .references(() => customer.id),
    lastPaidAt: moment('last_paid_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.partnerId, t.customerId, t.payeeId] }),
    index('beneficiary_latest').on(t.partnerId, t.customerId, t.lastPaidAt),
    index('beneficiary_payee').on(t.payeeId),
  ],
);
