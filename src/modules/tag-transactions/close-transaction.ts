import type { Clock } from '#lib/clock.ts';
import type { Database, Tx } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { releaseHold } from '#modules/ledger';
import { type Decision, moveTransaction } from './move-transaction.ts';
import { readTransaction } from './read-transaction.ts';
import type { SwitchTransaction } from './transaction.ts';
import { tell } from './transaction-event.ts';
import { type TransactionView, viewOf } from './webhook-record.ts';

type Deps = { db: Database; transact: Transact; clock: Clock };

/**
 * The receiver refuses what it was offered: what was held is the sender's again, who is told why.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function rejectTransaction(
  { transact, db, clock }: Deps,
  { rejectionReason, ...decision }: Decision & { rejectionReason: string },
): Promise<TransactionView> {
  const now = clock.now();
  const rejected = await transact(async (tx) => {
    const changes = { rejectedAt: now, rejectionReason };
    const { id, holdId } = await moveTransaction(tx, decision, 'receiver', 'REJECTED', changes, now);
    return giveBack(tx, { id, holdId }, 'TRANSACTION_REJECTED', now);
  });
  return viewOf(db, decision.applicationId, rejected);
}

/** The sender takes its offer back before the receiver has decided, who is told. Refusals as `rejectTransaction`. */
export async function cancelTransaction({ transact, db, clock }: Deps, decision: Decision): Promise<TransactionView> {
  const now = clock.now();
  const cancelled = await transact(async (tx) => {
    const { id, holdId } = await moveTransaction(tx, decision, 'sender', 'CANCELLED', {}, now);
    return giveBack(tx, { id, holdId }, 'TRANSACTION_CANCELLED', now);
  });
  return viewOf(db, decision.applicationId, cancelled);
}

/** Releases the hold of a transaction that has come to nothing, and tells. */
export async function giveBack(
  tx: Tx,
  { id, holdId }: { id: string; holdId: number | null },
  event: 'TRANSACTION_REJECTED' | 'TRANSACTION_CANCELLED' | 'TRANSACTION_EXPIRED',
  now: Date,
): Promise<SwitchTransaction> {
  if (holdId === null) throw new Error(`transaction ${id} waited and held nothing`);
  await releaseHold(tx, holdId);
  const transaction = await readTransaction(tx, id, now);
  await tell(tx, event, transaction);
  return transaction;
}
