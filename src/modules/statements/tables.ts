import { sql } from '#drizzle';
import { bigint, check, index, integer, pgSchema, smallint, text } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partnerWallet } from '#modules/wallets';

export const statementsSchema = pgSchema('statements');

/** A statement that was requested and is prepared by a worker. The document itself is never stored. */
export const requested = statementsSchema.table(
  'requested',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    reference: text('reference').notNull().unique(),
    walletId: bigint('wallet_id', { mode: 'number' })
      .notNull()
      .references(() => partnerWallet.id),
    from: moment('from_at').notNull(),
    to: moment('to_at').notNull(),
    format: text('format', { enum: ['pdf', 'csv', 'html', 'xlsx'] }).notNull(),
    status: text('status', { enum: ['Pending', 'Ready', 'Failed'] })
      .notNull()
      .default('Pending'),
    /** How often a worker claimed it. */
    attempts: smallint('attempts').notNull().default(0),
    /** When a worker may claim it; while one has it, when that worker counts as dead. Null: nothing is left to do. */
    dueAt: moment('due_at'),
    /** The error code of what it failed for; null of one that did not. */
    failureReason: text('failure_reason'),
    mailedAt: moment('mailed_at'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    check('requested_status', sql`${t.status} in ('Pending', 'Ready', 'Failed')`),
    check('requested_format', sql`${t.format} in ('pdf', 'csv', 'html', 'xlsx')`),
    check('requested_due', sql`${t.status} <> 'Pending' or ${t.dueAt} is not null`),
    index('requested_due_at').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('requested_created').on(t.createdAt),
  ],
);

/** Minor units. */
const money = (name: string) => bigint(name, { mode: 'bigint' });

/** A statement that was given out, as its paper says it: anybody with the paper may verify it. */
export const paper = statementsSchema.table(
  'paper',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Of the code that is printed on it. */
    codeDigest: bytes('code_digest').notNull().unique(),
    walletId: bigint('wallet_id', { mode: 'number' })
      .notNull()
      .references(() => partnerWallet.id),
    holderMasked: text('holder_masked').notNull(),
    currency: text('currency').notNull(),
    from: moment('from_at').notNull(),
    to: moment('to_at').notNull(),
    opening: money('opening').notNull(),
    /** Unsigned. */
    credits: money('credits').notNull(),
    debits: money('debits').notNull(),
    closing: money('closing').notNull(),
    lines: integer('lines').notNull(),
    /** When it was first written. */
    issuedAt: moment('issued_at').notNull(),
  },
  (t) => [
    check('paper_balances', sql`${t.opening} + ${t.credits} - ${t.debits} = ${t.closing}`),
    index('paper_wallet').on(t.walletId),
    index('paper_issued').on(t.issuedAt),
  ],
);
