import type { Tx } from '#lib/database.ts';
import { emit } from '#modules/outbox';
import type { SwitchTransaction } from './transaction.ts';
import { transactionData } from './transaction-data.ts';

/** Who is told of what: the side that did not do it, and of an expiry both. */
export const audience = {
  TRANSACTION_INITIATED: ['receiverAppId'],
  TRANSACTION_ACCEPTED: ['senderAppId'],
  TRANSACTION_REJECTED: ['senderAppId'],
  TRANSACTION_CANCELLED: ['receiverAppId'],
  TRANSACTION_EXPIRED: ['senderAppId', 'receiverAppId'],
} as const satisfies Record<string, readonly ('senderAppId' | 'receiverAppId')[]>;

export type TransactionEvent = keyof typeof audience;

export const transactionEvents = Object.keys(audience) as TransactionEvent[];

/** Tells an event of a transaction, in the database transaction that makes it. Wake the worker after the commit. */
export async function tell(tx: Tx, event: TransactionEvent, transaction: SwitchTransaction): Promise<void> {
  const { reference } = transaction;
  const body = JSON.stringify({ event, reference, data: transactionData(transaction) });
  for (const ownerId of new Set(audience[event].map((side) => transaction[side]))) {
    await emit(tx, { ownerId, event, reference, body });
  }
}
