import { sql } from 'drizzle-orm';
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
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, moment } from '../../lib/columns.ts';

export const ledgerSchema = pgSchema('ledger');

/** Minor units. */
const money = (name: string) => bigint(name, { mode: 'bigint' });

export const account = ledgerSchema.table(
  'account',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: ['WALLET', 'FLOAT', 'CLEARING'] }).notNull(),
    /** The partner whose book it stands in; null for our own accounts. */
    partnerId: uuid('partner_id'),
    /** What the events call it: the partner wallet reference. */
    reference: text('reference').notNull(),
    currency: text('currency', { enum: ['NGN', 'FP'] }).notNull(),
    /** strict: its row is locked and its balance exact; deferred: postings append and never wait for one another. */
    lockMode: text('lock_mode', { enum: ['strict', 'deferred'] })
      .notNull()
      .default('strict'),
    /** The lowest balance allowed; null when it may go negative. */
    floor: money('floor'),
    posted: money('posted').notNull().default(sql`0`),
    suspended: money('suspended').notNull().default(sql`0`),
    liens: money('liens').notNull().default(sql`0`),
    /** Number of its entries, when strict: the position of the last one. */
    version: bigint('version', { mode: 'number' }).notNull().default(0),
    status: text('status', { enum: ['Enabled', 'Blocked', 'PND', 'PNC'] })
      .notNull()
      .default('Enabled'),
    /** True when every movement is told to the partner. */
    emits: boolean('emits').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('account_reference').on(t.kind, t.reference, t.currency),
    check('account_currency', sql`${t.currency} in ('NGN', 'FP')`),
    check('account_lock_mode', sql`${t.lockMode} in ('strict', 'deferred')`),
    check('account_status', sql`${t.status} in ('Enabled', 'Blocked', 'PND', 'PNC')`),
    check('account_holds', sql`${t.suspended} >= 0 and ${t.liens} >= 0`),
    check(
      'account_floor',
      sql`${t.floor} is null or (${t.lockMode} = 'strict' and ${t.posted} - ${t.suspended} >= ${t.floor})`,
    ),
  ],
);

/** One for each reference, for ever: a declined one stays declined, a posted one answers as it did. */
export const transaction = ledgerSchema.table(
  'transaction',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Whose names the reference is unique among: a partner, an application, a customer, or the operator. */
    ownerId: uuid('owner_id').notNull(),
    reference: text('reference').notNull(),
    partnerId: uuid('partner_id'),
    type: text('type').notNull(),
    status: text('status', { enum: ['Successful', 'Failed'] }).notNull(),
    /** Why it was declined. */
    code: text('code'),
    requestHash: bytes('request_hash').notNull(),
    amount: money('amount').notNull(),
    fee: money('fee').notNull().default(sql`0`),
    commission: money('commission').notNull().default(sql`0`),
    currency: text('currency', { enum: ['NGN', 'FP'] }).notNull(),
    externalReference: text('external_reference'),
    comment: text('comment'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    originalId: bigint('original_id', { mode: 'number' }).references((): AnyPgColumn => transaction.id),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    unique('transaction_reference').on(t.ownerId, t.reference),
    check('transaction_status', sql`${t.status} in ('Successful', 'Failed')`),
    check('transaction_code', sql`(${t.status} = 'Failed') = (${t.code} is not null)`),
    check('transaction_amount', sql`${t.amount} > 0 and ${t.fee} >= 0 and ${t.commission} >= 0`),
    index('transaction_partner').on(t.partnerId, t.createdAt),
  ],
);

/** A leg of a posting. Never changed, never deleted. */
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
    /** Position and balances in the account's history; null for a deferred account. */
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
    check('entry_amount', sql`${t.amount} <> 0`),
    check('entry_chain', sql`num_nulls(${t.version}, ${t.opening}, ${t.closing}) in (0, 3)`),
    check('entry_closing', sql`${t.closing} is null or ${t.closing} = ${t.opening} + ${t.amount}`),
  ],
);
