import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type LockedCustomer, lockForOperator, selectFrozen, selectHandedBack, updateCustomer } from './store.ts';

/**
 * A customer, locked until this transaction ends: nobody logs in as them, sets their password or begins anything by their
 * contacts meanwhile. Comes before their wallets, their PayTag and their sessions are locked.
 *
 * @throws DomainError CUSTOMER_NOT_FOUND
 */
export async function lockCustomer(tx: Tx, id: string): Promise<LockedCustomer> {
  const locked = await lockForOperator(tx, id);
  if (locked === undefined) throw new DomainError('CUSTOMER_NOT_FOUND', 'no customer has this id');
  return locked;
}

/** Freezes a customer, or with null releases them. The caller has locked them, and ends what they have begun. */
export async function markFrozen(tx: Tx, id: string, frozenAt: Date | null, now: Date): Promise<void> {
  await updateCustomer(tx, id, { frozenAt, updatedAt: now });
}

/** Makes the BVN of a customer, whom the caller has locked, nobody's. What is sealed of it stays on record. */
export async function releaseBvn(tx: Tx, id: string, now: Date): Promise<void> {
  await updateCustomer(tx, id, { bvnIndex: null, bvnHandedBackAt: now, updatedAt: now });
}

/** False when the BVN of a customer was handed back to its owner, or the customer erased; true holds until this transaction ends. */
export const keepsBvn = async (tx: Tx, id: string): Promise<boolean> => !(await selectHandedBack(tx, id));

/** Whether a customer is frozen or was erased; they stay so, or not, until this transaction ends. */
export const isFrozen = (tx: Tx, id: string): Promise<boolean> => selectFrozen(tx, id);

/**
 * A customer who is neither frozen nor erased, and is not before this transaction ends.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, as for somebody who does not exist
 */
export async function assertNotFrozen(tx: Tx, id: string): Promise<void> {
  if (await selectFrozen(tx, id)) throw new DomainError('PAYTAG_NOT_FOUND', 'no PayTag has this BVN');
}
