import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { type Decision, releaseMoney, transitionTagTransaction } from './transition.ts';
import { type TransactionView, viewOf } from './webhook-record.ts';

/**
 * The sender takes its offer back before the receiver has decided: the hold is released, and the receiver gets the event.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function cancelTransaction(
  { transact, db, clock }: { db: Database; transact: Transact; clock: Clock },
  decision: Decision,
): Promise<TransactionView> {
  const now = clock.now();
  const cancelled = await transact(async (tx) => {
    const offer = await transitionTagTransaction(tx, decision, 'sender', 'CANCELLED', {}, now);
    return releaseMoney(tx, offer, 'TRANSACTION_CANCELLED', now);
  });
  return viewOf(db, decision.applicationId, cancelled);
}
