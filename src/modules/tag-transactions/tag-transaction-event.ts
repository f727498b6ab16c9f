import type { Tx } from '#lib/postgres/executor.ts';
import { emit } from '#modules/outbox';
import type { TagTransaction } from './tag-transaction.ts';
import { eventData } from './tag-transaction-data.ts';

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
