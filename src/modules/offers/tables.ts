import { sql } from '#drizzle';
import { bigint, check, index, pgSchema, text, unique, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { type StateOf, statesOf } from '#lib/state-machine.ts';
import { application } from '#modules/clients';
import { hold, transaction } from '#modules/ledger';

/**
 * The transitions of a tag transaction. One that the ledger refuses at creation becomes DECLINED: its
 * reference stays taken, and only its sender sees it.
 */
export const tagTransactionTransitions = {
  AWAITING_ACCEPTANCE: ['ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED'],
  ACCEPTED: [],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  DECLINED: [],
} as const;

export type TagTransactionStatus = StateOf<typeof tagTransactionTransitions>;

export const tagTransactionStatuses = statesOf(tagTransactionTransitions);

export const tagTransactionsSchema = pgSchema('tag_transactions');

/** Minor units. */
const money = (name: string) => bigint(name, { mode: 'bigint' });

/** An offer of money from one tag to another, and its outcome. One for each reference, forever. */
export const tagTransaction = tagTransactionsSchema.table(
  'tag_transaction',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** Chosen by the sender. */
    reference: text('reference').notNull(),
    /** A digest of the request, which identifies a repeated one. */
    requestHash: bytes('request_hash').notNull(),
    senderAppId: uuid('sender_app_id')
      .notNull()
      .references(() => application.id),
    receiverAppId: uuid('receiver_app_id')
      .notNull()
      .references(() => application.id),
    /** The handles of the tags at that time: a handle may get another owner later. */
    senderTag: text('sender_tag').notNull(),
    receiverTag: text('receiver_tag').notNull(),
    amount: money('amount').notNull(),
    /** On top of the amount, paid by the sender. */
    fee: money('fee').notNull(),
    currency: text('currency', { enum: ['NGN', 'FP'] }).notNull(),
    status: text('status', { enum: tagTransactionStatuses }).notNull().default('AWAITING_ACCEPTANCE'),
    /** The refusal that declined it. */
    code: text('code'),
    narration: text('narration'),
    /** Holds amount and fee while it is pending; null when it settled at once. */
    holdId: bigint('hold_id', { mode: 'number' }).references(() => hold.id),
    /** The posting that settled it; null when no money moved. */
    postingId: bigint('posting_id', { mode: 'number' }).references(() => transaction.id),
    expiresAt: moment('expires_at').notNull(),
    acceptedAt: moment('accepted_at'),
    rejectedAt: moment('rejected_at'),
    rejectionReason: text('rejection_reason'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** A MAC of parties and terms (`store.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    unique('tag_transaction_reference').on(t.senderAppId, t.reference),
    check('tag_transaction_amount', sql`${t.amount} > 0 and ${t.fee} >= 0`),
    check('tag_transaction_currency', sql`${t.currency} in ('NGN', 'FP')`),
    check(
      'tag_transaction_status',
      sql`${t.status} in ('AWAITING_ACCEPTANCE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED')`,
    ),
    check('tag_transaction_declined', sql`(${t.status} = 'DECLINED') = (${t.code} is not null)`),
    check('tag_transaction_accepted', sql`(${t.status} = 'ACCEPTED') = (${t.acceptedAt} is not null)`),
    check('tag_transaction_rejected', sql`(${t.status} = 'REJECTED') = (${t.rejectedAt} is not null)`),
    index('tag_transaction_pending')
      .on(t.receiverAppId, t.createdAt, t.id, t.expiresAt)
      .where(sql`${t.status} = 'AWAITING_ACCEPTANCE'`),
    index('tag_transaction_received').on(t.receiverAppId, t.reference),
    index('tag_transaction_sender_tag').on(t.senderTag),
    index('tag_transaction_receiver_tag').on(t.receiverTag),
    index('tag_transaction_due').on(t.expiresAt).where(sql`${t.status} = 'AWAITING_ACCEPTANCE'`),
  ],
);
