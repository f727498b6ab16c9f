import { sql } from '#drizzle';
import { bigint, check, index, integer, pgSchema, text, unique, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/clients';
import { transaction } from '#modules/ledger';
import { split, terminal } from '#modules/terminals';
import { partnerWallet } from '#modules/wallets';

/**
 * The states of a message. RECEIVED: not booked yet. BOOKED: in the books for good. IGNORED: nothing to book.
 * DIFFERENT: contradicts the books or cannot be booked as it is; an operator looks at it and may retry. DISMISSED: was DIFFERENT,
 * and an operator closed it.
 */
export const messageStates = ['RECEIVED', 'DIFFERENT', 'IGNORED', 'BOOKED', 'DISMISSED'] as const;

/** How a message differs from our books. */
export const differences = [
  'PAYOUT_UNKNOWN',
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'PROVIDER_DIFFERS',
  'PAYEE_DIFFERS',
  'PAYOUT_ENDED_OTHERWISE',
  'ACCOUNT_UNKNOWN',
  'ACCOUNT_DIFFERS',
  'ACCOUNT_REFUSED',
  'AMOUNT_ZERO',
  'REPORTED_ALREADY',
  'UNREADABLE',
] as const;

export type Difference = (typeof differences)[number];

export const paymentsSchema = pgSchema('payments');

/** A rail's report of incoming money that the ledger does not store: its sender, terminal and split. */
export const payment = paymentsSchema.table(
  'payment',
  {
    transactionId: bigint('transaction_id', { mode: 'number' })
      .primaryKey()
      .references(() => transaction.id),
    terminalId: bigint('terminal_id', { mode: 'number' }).references(() => terminal.id),
    splitId: bigint('split_id', { mode: 'number' }).references(() => split.id),
    senderName: text('sender_name'),
    senderPaytag: text('sender_paytag'),
    senderType: text('sender_type'),
  },
  (t) => [
    check('payment_split', sql`${t.splitId} is null or ${t.terminalId} is not null`),
    index('payment_terminal').on(t.terminalId).where(sql`${t.terminalId} is not null`),
    index('payment_split').on(t.splitId).where(sql`${t.splitId} is not null`),
  ],
);

export const inboxSchema = pgSchema('inbox');

/** Provider messages as they came: stored first, and booked from here. */
export const message = inboxSchema.table(
  'message',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    provider: text('provider').notNull(),
    /** HOOK: the provider sent it. COMPARISON: we lacked it, and the provider's list of a day has it. */
    origin: text('origin', { enum: ['HOOK', 'COMPARISON'] }).notNull(),
    /** Of the bytes: a repeated message is stored once. */
    digest: bytes('digest').notNull(),
    /** The bytes; null once purged. */
    bodySealed: bytes('body_sealed'),
    /** The provider's name of the event. */
    event: text('event'),
    kind: text('kind', { enum: ['TRANSFER', 'CHARGE', 'ACCOUNT', 'OTHER'] }),
    /** The reference of the transfer or payment. */
    reference: text('reference'),
    /** As the provider gives it, in minor units of `currency`. */
    amount: bigint('amount', { mode: 'bigint' }),
    currency: text('currency'),
    /** The outcome of a transfer. */
    outcome: text('outcome', { enum: ['SUCCESSFUL', 'FAILED', 'REVERSED'] }),
    state: text('state', { enum: messageStates }).notNull().default('RECEIVED'),
    difference: text('difference').$type<Difference>(),
    /** The transaction that it was booked as. */
    transactionId: bigint('transaction_id', { mode: 'number' }).references(() => transaction.id),
    attempts: integer('attempts').notNull().default(0),
    /** The next attempt; null: none. */
    dueAt: moment('due_at'),
    /** The error code of the last attempt that failed. */
    lastError: text('last_error'),
    receivedAt: moment('received_at').notNull(),
    endedAt: moment('ended_at'),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    unique('message_digest').on(t.provider, t.digest),
    check('message_state', sql`${t.state} in ('RECEIVED', 'DIFFERENT', 'IGNORED', 'BOOKED', 'DISMISSED')`),
    check('message_origin', sql`${t.origin} in ('HOOK', 'COMPARISON')`),
    check('message_different', sql`(${t.state} in ('DIFFERENT', 'DISMISSED')) = (${t.difference} is not null)`),
    check('message_due', sql`${t.state} <> 'RECEIVED' or ${t.dueAt} is not null`),
    check('message_ended', sql`(${t.state} in ('BOOKED', 'IGNORED', 'DISMISSED')) = (${t.endedAt} is not null)`),
    index('message_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('message_kept').on(t.endedAt).where(sql`${t.bodySealed} is not null`),
    index('message_open').on(t.id).where(sql`${t.state} in ('RECEIVED', 'DIFFERENT')`),
    index('message_reference').on(t.reference).where(sql`${t.reference} is not null`),
    index('message_transaction').on(t.transactionId).where(sql`${t.transactionId} is not null`),
  ],
);

export const inboundAccountsSchema = pgSchema('inbound_accounts');

/** An account number of a wallet at a provider's bank; without a number until the provider answers. */
export const account = inboundAccountsSchema.table(
  'account',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** The reference of the wallet. */
    wallet: text('wallet')
      .notNull()
      .references(() => partnerWallet.reference),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    provider: text('provider').notNull(),
    accountNumberSealed: bytes('account_number_sealed'),
    /** The blind index of provider and account number. */
    accountIndex: bytes('account_index'),
    /** As payers see it. */
    accountNameSealed: bytes('account_name_sealed'),
    bankName: text('bank_name'),
    bankCode: text('bank_code'),
    /** Until then no other process asks the provider for it. */
    leasedUntil: moment('leased_until').notNull(),
    createdAt: moment('created_at').notNull(),
    assignedAt: moment('assigned_at'),
  },
  (t) => [
    unique('account_wallet').on(t.wallet, t.provider),
    unique('account_number').on(t.accountIndex),
    check(
      'account_assigned',
      sql`num_nonnulls(${t.accountNumberSealed}, ${t.accountIndex}, ${t.accountNameSealed}, ${t.bankName}, ${t.bankCode}, ${t.assignedAt}) in (0, 6)`,
    ),
    index('account_partner').on(t.partnerId, t.id),
  ],
);
