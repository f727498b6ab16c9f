import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { type Decision, releaseMoney, transitionTagTransaction } from './transition.ts';
import { type TransactionView, viewOf } from './webhook-record.ts';

/**
 * The receiver refuses what it was offered: the hold is released, and the sender gets the event with the reason.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function rejectTransaction(
  { transact, db, clock }: { db: Database; transact: Transact; clock: Clock },
  { rejectionReason, ...decision }: Decision & { rejectionReason: string },
): Promise<TransactionView> {
  const now = clock.now();
  const rejected = await transact(async (tx) => {
    const changes = { rejectedAt: now, rejectionReason };
    const offer = await transitionTagTransaction(tx, decision, 'receiver', 'REJECTED', changes, now);
    return releaseMoney(tx, offer, 'TRANSACTION_REJECTED', now);
  });
  return viewOf(db, decision.applicationId, rejected);
}
