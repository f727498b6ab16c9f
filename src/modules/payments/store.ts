import { inArray } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { payment } from './tables.ts';

/** Stores what the rails said of a payment. */
export async function insertPayment(tx: Tx, values: typeof payment.$inferInsert): Promise<void> {
  await tx.insert(payment).values(values);
}

/** The senders of those of these transactions that are payments. */
export async function selectSenders(db: Executor, transactionIds: readonly number[]) {
  const { transactionId, senderName, senderPaytag } = payment;
  return db
    .select({ transactionId, senderName, senderPaytag })
    .from(payment)
    .where(inArray(transactionId, [...transactionIds]));
}
