import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { findTransactionOf, type SeenTransaction, seeTransaction } from '#modules/ledger';
import { type Transaction, toTransaction } from './transaction.ts';

interface Named {
  partnerId: string;
  reference: string;
}

/**
 * A transaction of a partner, by the reference it gave; or one that moved a wallet of this partner, by ours.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, also for another partner's
 */
export async function getTransaction(db: Executor, named: Named): Promise<Transaction> {
  return toTransaction(await requireTransaction(db, named), named.partnerId);
}

/** A transaction that has just been posted or repeated, as it is now in the eyes of a partner. */
export async function readTransaction(
  db: Executor,
  { partnerId, id }: { partnerId: string; id: number },
): Promise<SeenTransaction> {
  const found = await seeTransaction(db, { partner: partnerId, id });
  if (found === undefined) throw new Error(`there is no transaction ${id}`);
  return found;
}

/** @throws DomainError TRANSACTION_NOT_FOUND */
export async function requireTransaction(db: Executor, { partnerId, reference }: Named): Promise<SeenTransaction> {
  const found = await findTransactionOf(db, { partner: partnerId, reference });
  if (found === undefined) throw new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');
  return found;
}
