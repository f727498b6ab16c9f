import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Offers } from './offers.ts';
import { type Decision, endTransaction, requireWaiting } from './transition.ts';
import type { TransactionView } from './webhook-record.ts';

/**
 * The receiver refuses what it was offered: the hold is released, and the sender gets the event with the reason.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function rejectTransaction(
  { db, keyring, clock, offers }: { db: Database; keyring: Keyring; clock: Clock; offers: Offers },
  { rejectionReason, ...decision }: Decision & { rejectionReason: string },
): Promise<TransactionView> {
  const now = clock.now();
  const waiting = await requireWaiting({ db, keyring }, decision, 'receiver', now);
  const ending = { status: 'REJECTED', rejectedAt: now, rejectionReason, now } as const;
  return endTransaction({ db, offers }, decision, waiting, ending);
}
