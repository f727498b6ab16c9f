import { sql } from '#drizzle';
import { bigint, check, index, pgSchema, smallint, text, uniqueIndex, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/clients';
import { account, lien, transaction } from '#modules/ledger';
import { partnerWallet } from '#modules/wallets';
import { disputeStates } from './dispute-state.ts';

export const disputesSchema = pgSchema('disputes');

/** A complaint about a transaction. Until the decision a lien keeps its amount in the wallet that received it. */
export const dispute = disputesSchema.table(
  'dispute',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    transactionId: bigint('transaction_id', { mode: 'number' })
      .notNull()
      .references(() => transaction.id),
    /** The partner of the wallet that received the money. */
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    /** Its reference. */
    wallet: text('wallet')
      .notNull()
      .references(() => partnerWallet.reference),
    /** The wallet's. */
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => account.id),
    /** Minor units. */
    amount: bigint('amount', { mode: 'bigint' }).notNull(),
    /** The refunds of the transaction before the dispute was opened. */
    refundedBefore: bigint('refunded_before', { mode: 'bigint' }).notNull(),
    currency: text('currency', { enum: ['NGN', 'FP'] }).notNull(),
    state: text('state', { enum: disputeStates }).notNull().default('OPEN'),
    reason: text('reason').notNull(),
    lienId: bigint('lien_id', { mode: 'number' })
      .notNull()
      .references(() => lien.id),
    /** The deadline for the partner. */
    respondBy: moment('respond_by').notNull(),
    /** The refund of the amount, less other refunds since. */
    refundId: bigint('refund_id', { mode: 'number' }).references(() => transaction.id),
    /** The reason for the decision. */
    decision: text('decision'),
    createdAt: moment('created_at').notNull(),
    /** When it expired undecided. */
    expiredAt: moment('expired_at'),
    decidedAt: moment('decided_at'),
  },
  (t) => [
    check('dispute_amount', sql`${t.amount} > 0 and ${t.refundedBefore} >= 0`),
    check('dispute_state', sql`${t.state} in ('OPEN', 'EXPIRED', 'WON', 'LOST')`),
    check(
      'dispute_expired',
      sql`case ${t.state} when 'OPEN' then ${t.expiredAt} is null when 'EXPIRED' then ${t.expiredAt} is not null else true end`,
    ),
    check(
      'dispute_decided',
      sql`num_nonnulls(${t.decidedAt}, ${t.decision}) = case when ${t.state} in ('WON', 'LOST') then 2 else 0 end`,
    ),
    check('dispute_refunded', sql`${t.refundId} is null or ${t.state} = 'LOST'`),
    uniqueIndex('dispute_undecided').on(t.transactionId).where(sql`${t.state} in ('OPEN', 'EXPIRED')`),
    uniqueIndex('dispute_lien').on(t.lienId),
    uniqueIndex('dispute_refund').on(t.refundId),
    index('dispute_due').on(t.respondBy).where(sql`${t.state} = 'OPEN'`),
    index('dispute_state_id').on(t.state, t.id),
    index('dispute_partner').on(t.partnerId, t.id),
    index('dispute_transaction').on(t.transactionId, t.id),
    index('dispute_wallet').on(t.wallet),
  ],
);

/** Evidence of a dispute. Never changed, and purged years after the decision. */
export const evidence = disputesSchema.table(
  'evidence',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    disputeId: uuid('dispute_id')
      .notNull()
      .references(() => dispute.id),
    /** The number within the dispute, from 1. */
    number: smallint('number').notNull(),
    by: text('by', { enum: ['OPERATOR', 'PARTNER'] }).notNull(),
    /** The text and its link. Null once purged. */
    saidSealed: bytes('said_sealed'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    check('evidence_by', sql`${t.by} in ('OPERATOR', 'PARTNER')`),
    index('evidence_dispute').on(t.disputeId, t.id),
    index('evidence_said').on(t.createdAt).where(sql`${t.saidSealed} is not null`),
  ],
);
