import { sql } from '#drizzle';
import { bigint, check, index, integer, pgSchema, primaryKey, text, unique, uniqueIndex, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/clients';
import { customer } from '#modules/customers';
import { transaction } from '#modules/ledger';
import { partnerWallet } from '#modules/wallets';
import { payoutStates } from './payout-state.ts';

export const payoutsSchema = pgSchema('payouts');

/** Money of a wallet on its way to a bank account. Its amount and charges are those of its transaction, which holds them. */
export const payout = payoutsSchema.table(
  'payout',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    transactionId: bigint('transaction_id', { mode: 'number' })
      .notNull()
      .references(() => transaction.id),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    /** The reference of the wallet. */
    wallet: text('wallet')
      .notNull()
      .references(() => partnerWallet.reference),
    provider: text('provider').notNull(),
    state: text('state', { enum: payoutStates }).notNull().default('PENDING'),
    /** The amount that arrives, in minor units of naira. */
    amount: bigint('amount', { mode: 'bigint' }).notNull(),
    bankCode: text('bank_code').notNull(),
    bankName: text('bank_name').notNull(),
    accountNumberSealed: bytes('account_number_sealed').notNull(),
    /** As the bank writes it. */
    accountNameSealed: bytes('account_name_sealed').notNull(),
    /** The blind index of bank code and account number. */
    accountIndex: bytes('account_index').notNull(),
    /** Our reference at the provider. It never changes. */
    providerReference: text('provider_reference').notNull(),
    /** The provider's own name for it. */
    providerId: text('provider_id'),
    /** Calls to the provider since the last change of state. */
    attempts: integer('attempts').notNull().default(0),
    /** The next call to the provider; null: none. */
    dueAt: moment('due_at'),
    /** An error code. */
    failureReason: text('failure_reason'),
    /** Why, in the provider's words. */
    failureDetail: text('failure_detail'),
    /** A status that contradicts the provider's earlier one: operators find out. */
    contradiction: text('contradiction', { enum: ['NOT_FOUND', 'SUCCESSFUL', 'FAILED', 'REVERSED'] }),
    /** For a FAILED payout that was paid all the same: the transaction that booked it. */
    correctionId: bigint('correction_id', { mode: 'number' }).references(() => transaction.id),
    sentAt: moment('sent_at'),
    endedAt: moment('ended_at'),
    reversedAt: moment('reversed_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    unique('payout_transaction').on(t.transactionId),
    unique('payout_provider_reference').on(t.providerReference),
    check('payout_state', sql`${t.state} in ('PENDING', 'SENT', 'UNKNOWN', 'SUCCESSFUL', 'FAILED', 'REVERSED')`),
    check('payout_sent', sql`${t.state} in ('PENDING', 'FAILED') or ${t.sentAt} is not null`),
    check('payout_ended', sql`(${t.state} in ('SUCCESSFUL', 'FAILED', 'REVERSED')) = (${t.endedAt} is not null)`),
    check('payout_failed', sql`(${t.state} = 'FAILED') = (${t.failureReason} is not null)`),
    check('payout_reversed', sql`(${t.state} = 'REVERSED') = (${t.reversedAt} is not null)`),
    check('payout_corrected', sql`${t.correctionId} is null or ${t.state} = 'FAILED'`),
    check('payout_contradiction', sql`${t.contradiction} in ('NOT_FOUND', 'SUCCESSFUL', 'FAILED', 'REVERSED')`),
    uniqueIndex('payout_correction').on(t.correctionId).where(sql`${t.correctionId} is not null`),
    index('payout_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('payout_wallet').on(t.wallet, t.id),
    index('payout_account').on(t.accountIndex),
    index('payout_state_id').on(t.state, t.id),
    index('payout_contradicted').on(t.id).where(sql`${t.contradiction} is not null`),
  ],
);

export const bankAccountsSchema = pgSchema('bank_accounts');

/** The bank account that a customer linked to their wallet at a partner. One at a time: a new one replaces it. */
export const linkedAccount = bankAccountsSchema.table(
  'linked_account',
  {
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    bankCode: text('bank_code').notNull(),
    bankName: text('bank_name').notNull(),
    accountNumberSealed: bytes('account_number_sealed').notNull(),
    /** The blind index of bank code and account number. */
    accountIndex: bytes('account_index').notNull(),
    /** As the bank writes it. */
    accountNameSealed: bytes('account_name_sealed').notNull(),
    linkedAt: moment('linked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.partnerId] })],
);
