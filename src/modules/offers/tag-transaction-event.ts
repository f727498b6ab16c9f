import type { Tx } from '#lib/postgres/executor.ts';
import { toMajor } from '#modules/ledger';
import { emit } from '#modules/outbox';
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
function eventData(transaction: TagTransaction) {
  const data = tagTransactionData(transaction);
  const { narration = '', rejectionReason = '' } = data;
  return { ...data, narration, rejectionReason, webhooks: [] };
}

/** Which sides get an event: the one that did not cause it; of an expiry, both. */
export const recipients = {
  TRANSACTION_INITIATED: ['receiverAppId'],
  TRANSACTION_ACCEPTED: ['senderAppId'],
  TRANSACTION_REJECTED: ['senderAppId'],
  TRANSACTION_CANCELLED: ['receiverAppId'],
  TRANSACTION_EXPIRED: ['senderAppId', 'receiverAppId'],
} as const satisfies Record<string, readonly ('senderAppId' | 'receiverAppId')[]>;

export type TagTransactionEvent = keyof typeof recipients;

/** What is signed and sent of an event. */
export const eventBody = (event: TagTransactionEvent, transaction: TagTransaction): string =>
  JSON.stringify({ event, reference: transaction.reference, data: eventData(transaction) });

/** Publishes an event of a transaction, in the database transaction that causes it. */
export async function publish(tx: Tx, event: TagTransactionEvent, transaction: TagTransaction): Promise<void> {
  const { reference } = transaction;
  const body = eventBody(event, transaction);
  for (const ownerId of new Set(recipients[event].map((side) => transaction[side]))) {
    await emit(tx, { ownerId, event, reference, subjectId: transaction.id, body });
  }
}
