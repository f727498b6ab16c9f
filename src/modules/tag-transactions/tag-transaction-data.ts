import { toMajor } from '#modules/ledger';
import type { TagTransaction } from './tag-transaction.ts';

/** A tag transaction as answers show it: amounts in major units. Members without a value are left out of the JSON. */
export const tagTransactionData = (transaction: TagTransaction) => ({
  id: transaction.id,
  reference: transaction.reference,
  senderTag: transaction.senderTag,
  senderAppName: transaction.senderAppName,
  senderAppId: transaction.senderAppId,
  receiverTag: transaction.receiverTag,
  receiverAppName: transaction.receiverAppName,
  receiverAppId: transaction.receiverAppId,
  amount: toMajor(transaction.amount),
  currency: transaction.currency,
  status: transaction.status,
  narration: transaction.narration,
  expiresAt: transaction.expiresAt.toISOString(),
  acceptedAt: transaction.acceptedAt?.toISOString(),
  rejectedAt: transaction.rejectedAt?.toISOString(),
  rejectionReason: transaction.rejectionReason,
  createdAt: transaction.createdAt.toISOString(),
  updatedAt: transaction.updatedAt.toISOString(),
  fee: toMajor(transaction.fee),
});

/**
 * The same as events show it, with all members of a Switch transaction: a text without a value is empty, a date without one is
 * left out. Deliveries are made of the event, so it knows of none.
 */
export function eventData(transaction: TagTransaction) {
  const data = tagTransactionData(transaction);
  const { narration = '', rejectionReason = '' } = data;
  return { ...data, narration, rejectionReason, webhooks: [] };
}
