import { sql } from '#drizzle';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
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
import { namers, type PendingReason, type TransactionType } from './posting.ts';
import { accountKinds } from './system-accounts.ts';

export const ledgerSchema = pgSchema('ledger');

/** Minor units. */
const money = (name: string) => bigint(name, { mode: 'bigint' });

export const account = ledgerSchema.table(
  'account',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: accountKinds }).notNull(),
    /** The partner whose book it stands in; null for our own accounts and those of applications. */
    partnerId: uuid('partner_id'),
    /** Its name in events: the reference of the partner wallet. */
    reference: text('reference').notNull(),
    currency: text('currency', { enum: ['NGN', 'FP'] }).notNull(),
    /** strict: a posting locks its row and updates its balance; deferred: postings only append, and never wait. */
    lockMode: text('lock_mode', { enum: ['strict', 'deferred'] })
      .notNull()
      .default('strict'),
    /** The lowest balance allowed; null when it may go negative. */
    floor: money('floor'),
    posted: money('posted').notNull().default(sql`0`),
    suspended: money('suspended').notNull().default(sql`0`),
    liens: money('liens').notNull().default(sql`0`),
    /** If strict: how many entries it has, which is the number of the last one. */
    version: bigint('version', { mode: 'number' }).notNull().default(0),
    status: text('status', { enum: ['Enabled', 'Blocked', 'PND', 'PNC'] })
      .notNull()
      .default('Enabled'),
    /** Closed for good: nothing moves it again, and a refund to it is refused. */
    closedAt: moment('closed_at'),
    /** What its holder may spend in a day from here; null: what the tier of its wallet allows. */
    dailyLimit: money('daily_limit'),
    /** True when every movement is published to the partner. */
    emits: boolean('emits').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** The time of its last entry, by the database's clock: no later one is before it. Null: nothing has moved it. */
    movedAt: moment('moved_at'),
    /** Accounts with the same holder share one daily limit: a customer's wallets. Any other account has a holder of its own. */
    holderId: uuid('holder_id').notNull().default(sql`uuidv7()`),
    /** A MAC of owner, kind and currency (`accounts.ts`); null for our own. */
    routingMac: bytes('routing_mac'),
  },
  (t) => [
    unique('account_reference').on(t.kind, t.reference, t.currency),
    index('account_restricted').on(t.status, t.id).where(sql`${t.status} <> 'Enabled'`),
    index('account_partner').on(t.partnerId, t.kind).where(sql`${t.partnerId} is not null`),
    // The trigger account_sound checks the other rules of an account when they are written, which no posting does.
    check(
      'account_floor',
      sql`${t.floor} is null or (${t.lockMode} = 'strict' and ${t.posted} - ${t.suspended} >= ${t.floor})`,
    ),
  ],
);

/** One for each reference, for ever: a refused one stays refused, a posted one answers as it did. */
export const transaction = ledgerSchema.table(
  'transaction',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The reference is unique among those that one namer gave for this owner: a partner, an application or a customer. */
    ownerId: uuid('owner_id').notNull(),
    reference: text('reference').notNull(),
    partnerId: uuid('partner_id'),
    type: text('type').$type<TransactionType>().notNull(),
    /** Held and Voided: of a posting in two steps, before it is captured, or when it never was (`poster.ts`). */
    status: text('status', { enum: ['Pending', 'Successful', 'Failed', 'Reversed', 'Held', 'Voided'] }).notNull(),
    /** Why it was refused. */
    code: text('code'),
    requestHash: bytes('request_hash').notNull(),
    amount: money('amount').notNull(),
    fee: money('fee').notNull().default(sql`0`),
    commission: money('commission').notNull().default(sql`0`),
    stampDuty: money('stamp_duty').notNull().default(sql`0`),
    currency: text('currency', { enum: ['NGN', 'FP'] }).notNull(),
    /** The accounts that the principal left and reached: a refund goes back that way. */
    sourceId: bigint('source_id', { mode: 'number' }).references(() => account.id),
    destinationId: bigint('destination_id', { mode: 'number' }).references(() => account.id),
    /** The sum of its refunds. */
    refunded: money('refunded').notNull().default(sql`0`),
    externalReference: text('external_reference'),
    comment: text('comment'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    originalId: bigint('original_id', { mode: 'number' }).references((): AnyPgColumn => transaction.id),
    createdAt: moment('created_at').notNull(),
    /** Null while pending, and if refused. */
    completedAt: moment('completed_at'),
    /** Who gave the reference: references of different namers never meet. */
    namer: text('namer', { enum: namers }).notNull(),
    /** Why its money waited in suspense when it was posted; stays when it has been settled. */
    pendingReason: text('pending_reason').$type<PendingReason>(),
    /** Shows that an operation of ours made it (`posting.ts`). */
    mac: bytes('mac').notNull(),
    /** Of a posting in two steps: what its source was to pay. */
    holdId: bigint('hold_id', { mode: 'number' }).references((): AnyPgColumn => hold.id),
    /** Why it was voided. */
    voidReason: text('void_reason'),
  },
  (t) => [
    unique('transaction_reference').on(t.ownerId, t.namer, t.reference),
    // One check: every statement that writes reads and plans each of them again.
    check(
      'transaction_sound',
      sql`${t.amount} > 0 and least(${t.fee}, ${t.commission}, ${t.stampDuty}) >= 0 and ${t.refunded} between 0 and ${t.amount}
        and ${t.namer} in ('PARTNER', 'CUSTOMER', 'APPLICATION', 'RAIL', 'OPERATOR')
        and ${t.status} in ('Pending', 'Successful', 'Failed', 'Reversed', 'Held', 'Voided')
        and (${t.status} = 'Failed') = (${t.code} is not null) and (${t.status} <> 'Pending' or ${t.pendingReason} is not null)
        and case when ${t.status} in ('Held', 'Voided') then ${t.holdId} is not null else true end
        and (${t.status} = 'Voided') = (${t.voidReason} is not null)`,
    ),
    uniqueIndex('transaction_hold').on(t.holdId).where(sql`${t.holdId} is not null`),
    index('transaction_partner').on(t.partnerId, t.id),
    index('transaction_refused').on(t.id).where(sql`${t.status} in ('Failed', 'Voided')`),
    index('transaction_refused_source').on(t.sourceId, t.id).where(sql`${t.status} in ('Failed', 'Voided')`),
    index('transaction_refused_destination').on(t.destinationId, t.id).where(sql`${t.status} in ('Failed', 'Voided')`),
    index('transaction_held').on(t.id).where(sql`${t.status} = 'Held'`),
    index('transaction_external').on(t.externalReference, t.id).where(sql`${t.externalReference} is not null`),
    index('transaction_not_partners').on(t.reference).where(sql`${t.namer} <> 'PARTNER'`),
    index('transaction_original').on(t.originalId).where(sql`${t.originalId} is not null`),
    index('transaction_pending').on(t.destinationId).where(sql`${t.status} = 'Pending'`),
    index('transaction_pending_oldest').on(t.id).where(sql`${t.status} = 'Pending'`),
  ],
);

/** What a holder has spent on a day in Africa/Lagos, out of all their accounts: transfers, their fees, and holds. */
export const spending = ledgerSchema.table(
  'spending',
  {
    holderId: uuid('holder_id').primaryKey(),
    day: date('day', { mode: 'string' }).notNull(),
    spent: money('spent').notNull(),
  },
  (t) => [check('spending_spent', sql`${t.spent} >= 0`)],
);

/** A leg of a posting. Never changed, and never deleted. */
export const entry = ledgerSchema.table(
  'entry',
  {
    transactionId: bigint('transaction_id', { mode: 'number' })
      .notNull()
      .references(() => transaction.id),
    leg: smallint('leg').notNull(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => account.id),
    amount: money('amount').notNull(),
    /** The part of the amount that is a fee, unsigned. */
    fee: money('fee').notNull().default(sql`0`),
    /** The entry's number in the account's history and the balances around it; null for a deferred account. */
    version: bigint('version', { mode: 'number' }),
    opening: money('opening'),
    closing: money('closing'),
    /** The day in Africa/Lagos. */
    businessDate: date('business_date', { mode: 'string' }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.transactionId, t.leg] }),
    unique('entry_version').on(t.accountId, t.version),
    check(
      'entry_sound',
      sql`${t.amount} <> 0 and case when ${t.version} is null then num_nonnulls(${t.opening}, ${t.closing}) = 0
        else coalesce(${t.closing} = ${t.opening} + ${t.amount}, false) end`,
    ),
  ],
);

/** Movements of deferred accounts that are not yet added to their balances. */
export const deferredDelta = ledgerSchema.table('deferred_delta', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  accountId: bigint('account_id', { mode: 'number' })
    .notNull()
    .references(() => account.id),
  amount: money('amount').notNull(),
});

/** Money of an account that is set aside for a later capture. A refused hold keeps its reference and holds nothing. */
export const hold = ledgerSchema.table(
  'hold',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: uuid('owner_id').notNull(),
    reference: text('reference').notNull(),
    requestHash: bytes('request_hash').notNull(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => account.id),
    amount: money('amount').notNull(),
    state: text('state', { enum: ['OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED', 'REFUSED'] }).notNull(),
    /** Why it was refused. */
    code: text('code'),
    /** Whether it counts against a daily limit, and the limit of which day. */
    counted: boolean('counted').notNull(),
    heldDay: date('held_day', { mode: 'string' }).notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull(),
    closedAt: moment('closed_at'),
  },
  (t) => [
    unique('hold_reference').on(t.ownerId, t.reference),
    check('hold_amount', sql`${t.amount} > 0`),
    check('hold_state', sql`${t.state} in ('OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED', 'REFUSED')`),
    check('hold_closed', sql`(${t.state} = 'OPEN') = (${t.closedAt} is null)`),
    index('hold_open').on(t.expiresAt).where(sql`${t.state} = 'OPEN'`),
    index('hold_open_of_account').on(t.accountId, t.id).where(sql`${t.state} = 'OPEN'`),
  ],
);

/** Money of an account that may not be spent until the lien is lifted. */
export const lien = ledgerSchema.table(
  'lien',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => account.id),
    amount: money('amount').notNull(),
    reason: text('reason').notNull(),
    /** The process that placed the lien and alone lifts it; null: an operator. */
    heldFor: text('held_for', { enum: ['DISPUTE'] }),
    createdAt: moment('created_at').notNull(),
    liftedAt: moment('lifted_at'),
  },
  (t) => [check('lien_amount', sql`${t.amount} > 0`), index('lien_account').on(t.accountId)],
);

export const booksSchema = pgSchema('books');

/** Minor units, unsigned. */
const sums = {
  debits: bigint('debits', { mode: 'bigint' }).notNull(),
  credits: bigint('credits', { mode: 'bigint' }).notNull(),
};

/** What moved on all accounts of a kind on a day in Africa/Lagos, as far as it is added up. */
export const dayTotal = booksSchema.table(
  'day_total',
  {
    day: date('day', { mode: 'string' }).notNull(),
    kind: text('kind').notNull(),
    currency: text('currency').notNull(),
    ...sums,
  },
  (t) => [primaryKey({ columns: [t.day, t.kind, t.currency] })],
);

/** The same for one partner: its accounts and its charges, by type of transaction. */
export const partnerDayTotal = booksSchema.table(
  'partner_day_total',
  {
    partnerId: uuid('partner_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    kind: text('kind').notNull(),
    currency: text('currency').notNull(),
    type: text('type').notNull(),
    ...sums,
    movements: bigint('movements', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.partnerId, t.kind, t.currency, t.type, t.day] }),
    index('partner_day_total_float').on(t.day).where(sql`${t.kind} = 'FLOAT'`),
  ],
);

/** What moved in an hour by transactions of a type: each entry out of an account counts. */
export const hourTotal = booksSchema.table(
  'hour_total',
  {
    /** When it began. */
    hour: moment('hour').notNull(),
    type: text('type').notNull(),
    currency: text('currency').notNull(),
    debits: bigint('debits', { mode: 'bigint' }).notNull(),
    /** Transactions: each in the hour in which it was posted. */
    transactions: bigint('transactions', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.hour, t.type, t.currency] })],
);

/** One row. */
export const totalled = booksSchema.table(
  'totalled',
  {
    only: boolean('only').primaryKey().default(true),
    /** Entries dated before this are added up. */
    until: moment('until').notNull(),
  },
  (t) => [check('totalled_only', sql`${t.only}`)],
);
