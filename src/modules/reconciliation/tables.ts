import { sql } from '#drizzle';
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgSchema,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { transaction } from '#modules/ledger';
import { fileFormats, proofs } from './files/bank-file.ts';
import { itemStatuses, resolutions } from './item-status.ts';
import { rails } from './rails.ts';

export const reconciliationSchema = pgSchema('reconciliation');

/** Minor units of naira. */
const money = (name: string) => bigint(name, { mode: 'bigint' });

const day = (name: string) => date(name, { mode: 'string' });

/** A file of a bank that was read. */
export const bankImport = reconciliationSchema.table(
  'import',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    rail: text('rail', { enum: rails }).notNull(),
    format: text('format', { enum: fileFormats }).notNull(),
    /** SHA-256 of the file and of what it was read by: the same file is read once. */
    digest: bytes('digest').notNull(),
    /** The bank's number of the account, as the file says it. */
    account: text('account'),
    fromDay: day('from_day').notNull(),
    toDay: day('to_day').notNull(),
    opening: money('opening'),
    closing: money('closing'),
    lines: integer('lines').notNull(),
    /** The sums of what came in, and of what left, which is below zero. */
    credits: money('credits').notNull(),
    debits: money('debits').notNull(),
    /** What proves that the lines are all there and right. */
    provedBy: text('proved_by', { enum: proofs }).array().notNull().default([]),
    /** Banking days that a line and a posting may lie apart. */
    toleranceDays: smallint('tolerance_days').notNull(),
    importedBy: text('imported_by').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    unique('import_digest').on(t.rail, t.digest),
    check('import_days', sql`${t.fromDay} <= ${t.toDay}`),
    check(
      'import_ties',
      sql`${t.credits} >= 0 and ${t.debits} <= 0 and (${t.opening} is null) = (${t.closing} is null)
        and coalesce(${t.opening} + ${t.credits} + ${t.debits} = ${t.closing}, true)`,
    ),
  ],
);

/** A line of a bank's file, a posting of ours on the clearing account of its rail, or both, where each has the other. */
export const item = reconciliationSchema.table(
  'item',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    rail: text('rail', { enum: rails }).notNull(),
    status: text('status', { enum: itemStatuses }).notNull(),
    /** The file that the line stands in; of a posting alone the one that lacks it. */
    importId: uuid('import_id')
      .notNull()
      .references(() => bankImport.id),
    /** Where the line stands in the file, and which of those it is. */
    line: integer('line'),
    place: integer('place'),
    bankDay: day('bank_day'),
    /** What came in is above zero. */
    bankAmount: money('bank_amount'),
    /** The balance after it, and the bank's number of its statement: they distinguish lines with the same content. */
    bankBalance: money('bank_balance'),
    statement: text('statement'),
    /** What the bank says of it: references and narration. Null once it is forgotten. */
    saidSealed: bytes('said_sealed'),
    /** Keyed digest of the whole line, by which it is known again. */
    lineDigest: bytes('line_digest'),
    transactionId: bigint('transaction_id', { mode: 'number' }).references(() => transaction.id),
    ourDay: day('our_day'),
    /** What the posting says came in at the bank, or, below zero, left. */
    ourAmount: money('our_amount'),
    /** The posting of the difference. */
    adjustmentId: bigint('adjustment_id', { mode: 'number' }).references(() => transaction.id),
    action: text('action', { enum: resolutions }),
    reason: text('reason'),
    resolvedBy: text('resolved_by'),
    resolvedAt: moment('resolved_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('item_transaction').on(t.rail, t.transactionId).where(sql`${t.transactionId} is not null`),
    uniqueIndex('item_adjustment').on(t.adjustmentId).where(sql`${t.adjustmentId} is not null`),
    uniqueIndex('item_place').on(t.importId, t.place).where(sql`${t.place} is not null`),
    index('item_digest').on(t.lineDigest).where(sql`${t.lineDigest} is not null`),
    index('item_import').on(t.importId, t.id),
    index('item_status').on(t.rail, t.status, t.id),
    index('item_said').on(t.createdAt).where(sql`${t.saidSealed} is not null`),
    check(
      'item_status',
      sql`${t.status} in ('OURS_ALONE', 'THEIRS_ALONE', 'DUPLICATE', 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'TIMING', 'MATCHED', 'REPEATED', 'RESOLVED')`,
    ),
    check(
      'item_sides',
      sql`num_nonnulls(${t.line}, ${t.place}, ${t.bankDay}, ${t.bankAmount}, ${t.lineDigest}) in (0, 5)
        and num_nonnulls(${t.transactionId}, ${t.ourDay}, ${t.ourAmount}) in (0, 3)
        and case ${t.status}
          when 'OURS_ALONE' then ${t.line} is null and ${t.transactionId} is not null
          when 'THEIRS_ALONE' then ${t.line} is not null and ${t.transactionId} is null
          when 'DUPLICATE' then ${t.line} is not null and ${t.transactionId} is null
          when 'REPEATED' then ${t.line} is not null and ${t.transactionId} is null
          when 'TIMING' then num_nonnulls(${t.line}, ${t.transactionId}) = 1
          when 'RESOLVED' then num_nonnulls(${t.line}, ${t.transactionId}) > 0
          else ${t.line} is not null and ${t.transactionId} is not null end`,
    ),
    check('item_equal', sql`${t.status} not in ('MATCHED', 'DAY_DIFFERS') or ${t.bankAmount} = ${t.ourAmount}`),
    check('item_resolved', sql`(${t.status} = 'RESOLVED') = (${t.adjustmentId} is not null)`),
    check('item_action', sql`num_nonnulls(${t.action}, ${t.reason}, ${t.resolvedBy}, ${t.resolvedAt}) in (0, 4)`),
  ],
);

export const railsSchema = pgSchema('rail_comparisons');

/** What differed when a provider's list of a day was compared with ours. Amounts are minor units of naira. */
export interface RailDifference {
  kind: 'TRANSFER' | 'CHARGE';
  /** Of a row that cannot be read what names it, as text; empty where nothing does. */
  reference: string;
  /**
   * WE_LACKED: it is booked now. THEY_LACK: the provider does not know it, also when it is asked, or has not ended what has ended
   * here. UNREADABLE: it has a row that is not as documented. Any other: what the inbox says of it.
   */
  what: string;
  ours?: string | undefined;
  theirs?: string | undefined;
}

/** A comparison of a provider's list of a day in Africa/Lagos with ours. */
export const comparison = railsSchema.table(
  'comparison',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    provider: text('provider').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    /** Who asked for it: an operator, or `nightly`. */
    actor: text('actor').notNull(),
    theirCount: integer('their_count').notNull(),
    theirAmount: bigint('their_amount', { mode: 'bigint' }).notNull(),
    ourCount: integer('our_count').notNull(),
    ourAmount: bigint('our_amount', { mode: 'bigint' }).notNull(),
    differences: jsonb('differences').$type<RailDifference[]>().notNull(),
    comparedAt: moment('compared_at').notNull(),
  },
  (t) => [index('comparison_day').on(t.provider, t.day, t.id), index('comparison_provider').on(t.provider, t.id)],
);
