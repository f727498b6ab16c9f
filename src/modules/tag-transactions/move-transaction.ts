import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type MoveChanges, selectById, selectOf, type TransactionParts, updateStatus } from './store.ts';
import { toTransaction } from './transaction.ts';
import type { FinalStatus } from './transaction-status.ts';

/** The refusal of a transaction that is not there, or between others. */
export const transactionNotFound = (): DomainError =>
  new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');

/** A transaction that one of its applications decides. */
export interface Decision {
  /** Who decides. */
  applicationId: string;
  id: string;
}

/**
 * Moves a transaction by the decision of one of its sides. Of all who decide at once one does.
 *
 * @returns the transaction as it was before
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function moveTransaction(
  tx: Tx,
  { applicationId, id }: Decision,
  side: 'sender' | 'receiver',
  to: FinalStatus,
  changes: MoveChanges,
  now: Date,
): Promise<TransactionParts['transaction']> {
  const found = await selectOf(tx, applicationId, id);
  if (found === undefined) throw transactionNotFound();
  if (found.transaction[`${side}AppId`] !== applicationId) {
    throw new DomainError('NOT_PERMITTED', `only the ${side} of a transaction may do this`);
  }
  if ((await updateStatus(tx, id, to, changes, now)) === undefined) throw await refusal(tx, id, now);
  return found.transaction;
}

async function refusal(tx: Tx, id: string, now: Date): Promise<DomainError> {
  const found = await selectById(tx, id);
  if (found === undefined) return transactionNotFound();
  const { status } = toTransaction(found, now);
  return status === 'EXPIRED'
    ? new DomainError('TRANSACTION_EXPIRED', 'the time to decide this transaction is over')
    : new DomainError('TRANSACTION_NOT_PENDING', `the transaction is ${status} already`);
}
