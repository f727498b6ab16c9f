import { sql } from '#drizzle';
import { bigint, check, index, pgSchema, text } from '#drizzle/pg-core';
import { transaction } from '#modules/ledger';
import { split, terminal } from '#modules/terminals';

export const paymentsSchema = pgSchema('payments');

/** What the rails said of money that came in, and the ledger does not store: who sent it, and what it paid for. */
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
