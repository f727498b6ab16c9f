import { sql } from '#drizzle';
import { bigint, check, index, jsonb, pgSchema, text, unique, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { type StateOf, statesOf } from '#lib/state-machine.ts';
import { partner } from '#modules/clients';

/** The transitions of a split. Cancelled and Expired also need that nothing is paid. */
export const splitTransitions = {
  Pending: ['Paid', 'Cancelled', 'Expired'],
  Paid: [],
  Cancelled: [],
  Expired: [],
} as const;

export type SplitStatus = StateOf<typeof splitTransitions>;

export const splitStatuses = statesOf(splitTransitions);

export const terminalsSchema = pgSchema('terminals');

/** Minor units. */
const money = (name: string) => bigint(name, { mode: 'bigint' });

/** A device of a partner's merchant at which customers pay. */
export const terminal = terminalsSchema.table(
  'terminal',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Unique among the terminals of all partners. */
    serialNumber: text('serial_number').notNull().unique(),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    /** The acquirer's name for it. */
    terminalId: text('terminal_id'),
    merchant: text('merchant'),
    emailSealed: bytes('email_sealed'),
    phoneSealed: bytes('phone_sealed'),
    paytag: text('paytag'),
    status: text('status').notNull().default('Active'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    /** What its payments have brought into the float, less the charges. */
    balance: money('balance').notNull().default(sql`0`),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Of whose it is and what it is called (`store.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [check('terminal_balance', sql`${t.balance} >= 0`), index('terminal_newest').on(t.partnerId, t.id)],
);

/** A payment request of a terminal that is paid in instalments. What remains is the amount less what is paid. */
export const split = terminalsSchema.table(
  'split',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    terminalId: bigint('terminal_id', { mode: 'number' })
      .notNull()
      .references(() => terminal.id),
    reference: text('reference').notNull(),
    amount: money('amount').notNull(),
    totalPaid: money('total_paid').notNull().default(sql`0`),
    currency: text('currency', { enum: ['NGN'] })
      .notNull()
      .default('NGN'),
    status: text('status', { enum: splitStatuses }).notNull().default('Pending'),
    title: text('title').notNull(),
    description: text('description'),
    expiresAt: moment('expires_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** Of the requested amount and its terminal (`store.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    unique('split_reference').on(t.terminalId, t.reference),
    check('split_currency', sql`${t.currency} = 'NGN'`),
    check('split_paid', sql`${t.amount} > 0 and ${t.totalPaid} between 0 and ${t.amount}`),
    check(
      'split_status',
      sql`case ${t.status} when 'Pending' then ${t.totalPaid} < ${t.amount} when 'Paid' then ${t.totalPaid} = ${t.amount}
        when 'Cancelled' then ${t.totalPaid} = 0 when 'Expired' then ${t.totalPaid} = 0 else false end`,
    ),
    index('split_newest').on(t.terminalId, t.id),
    index('split_named').on(t.reference, t.id),
    index('split_expiring').on(t.expiresAt).where(sql`${t.status} = 'Pending' and ${t.totalPaid} = 0`),
  ],
);
