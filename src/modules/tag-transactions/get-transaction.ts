import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { type Decision, transactionNotFound } from './move-transaction.ts';
import { selectOf } from './store.ts';
import { toTransaction } from './transaction.ts';
import { type TransactionView, viewOf } from './webhook-record.ts';

/** A transaction that this application sends or receives. @throws DomainError TRANSACTION_NOT_FOUND, also for others' */
export async function getTransaction(
  { db, clock }: { db: Database; clock: Clock },
  { applicationId, id }: Decision,
): Promise<TransactionView> {
  const found = await selectOf(db, applicationId, id);
  if (found === undefined) throw transactionNotFound();
  return viewOf(db, applicationId, toTransaction(found, clock.now()));
}
