import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { releaseHold } from '#modules/ledger';
import { selectById, selectOf, type TagTransactionRow, type TransitionChanges, updateStatus } from './store.ts';
import { readTagTransaction, type TagTransaction, toTagTransaction } from './tag-transaction.ts';
import { publish, type TagTransactionEvent } from './tag-transaction-event.ts';
import type { FinalStatus } from './tag-transaction-status.ts';

/** The error of a transaction that does not exist, or is between others. */
export const transactionNotFound = (): DomainError =>
  new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');

/** A decision on a transaction by one of its applications. */
export interface Decision {
  /** Who decides. */
  applicationId: string;
  id: string;
}

/**
 * Gives a transaction its final status by the decision of one of its sides. When several decide at once, one does.
 *
 * @returns the row as it was before
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function transitionTagTransaction(
  tx: Tx,
  { applicationId, id }: Decision,
  side: 'sender' | 'receiver',
  to: FinalStatus,
  changes: TransitionChanges,
  now: Date,
): Promise<TagTransactionRow> {
  const found = await selectOf(tx, applicationId, id);
  if (found === undefined) throw transactionNotFound();
  if (found.row[`${side}AppId`] !== applicationId) {
    throw new DomainError('NOT_PERMITTED', `only the ${side} of a transaction may do this`);
  }
  if ((await updateStatus(tx, id, to, changes, now)) === undefined) throw await refusal(tx, id, now);
  return found.row;
}

async function refusal(tx: Tx, id: string, now: Date): Promise<DomainError> {
  const found = await selectById(tx, id);
  if (found === undefined) return transactionNotFound();
  const { status } = toTagTransaction(found, now);
  return status === 'EXPIRED'
    ? new DomainError('TRANSACTION_EXPIRED', 'the time to decide this transaction has expired')
    : new DomainError('TRANSACTION_NOT_PENDING', `the transaction is ${status} already`);
}

/** Releases the hold of a transaction that was rejected, cancelled or expired, and publishes the event. */
export async function releaseMoney(
  tx: Tx,
  { id, holdId }: Pick<TagTransactionRow, 'id' | 'holdId'>,
  event: Extract<TagTransactionEvent, 'TRANSACTION_REJECTED' | 'TRANSACTION_CANCELLED' | 'TRANSACTION_EXPIRED'>,
  now: Date,
): Promise<TagTransaction> {
  if (holdId === null) throw new Error(`transaction ${id} waited and held nothing`);
  await releaseHold(tx, holdId);
  const transaction = await readTagTransaction(tx, id, now);
  await publish(tx, event, transaction);
  return transaction;
}
