import { sql } from '#drizzle';
import { bigint, boolean, check, date, index, pgSchema, primaryKey, text, uuid } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';

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

/** The same of the accounts of a partner, and of what it was charged, by the type of what moved it. */
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
    /** Whatever is dated before this is added up. */
    until: moment('until').notNull(),
  },
  (t) => [check('totalled_only', sql`${t.only}`)],
);
