import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Offers } from './offers.ts';
import { type Decision, endTransaction, requireWaiting } from './transition.ts';
import type { TransactionView } from './webhook-record.ts';

/**
 * The sender takes its offer back before the receiver has decided: the hold is released, and the receiver gets the event.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function cancelTransaction(
  { db, keyring, clock, offers }: { db: Database; keyring: Keyring; clock: Clock; offers: Offers },
  decision: Decision,
): Promise<TransactionView> {
  const now = clock.now();
  const waiting = await requireWaiting({ db, keyring }, decision, 'sender', now);
  return endTransaction({ db, offers }, decision, waiting, { status: 'CANCELLED', now });
}
