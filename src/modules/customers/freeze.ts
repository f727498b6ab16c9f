import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type CustomerRow, holdCustomer, type LockedCustomer, lockForOperator, updateCustomer } from './store.ts';

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
export async function markFrozen(
  tx: Tx,
  keyring: Keyring,
  customer: CustomerRow,
  frozenAt: Date | null,
  now: Date,
): Promise<void> {
  await updateCustomer(tx, keyring, customer, { frozenAt, updatedAt: now });
}

/** Makes the BVN of a customer, whom the caller has locked, nobody's. What is sealed of it stays on record. */
export async function releaseBvn(tx: Tx, keyring: Keyring, customer: CustomerRow, now: Date): Promise<void> {
  await updateCustomer(tx, keyring, customer, { bvnIndex: null, bvnHandedBackAt: now, updatedAt: now });
}

/** False when the BVN of a customer was handed back to its owner, or the customer erased; true holds until this transaction ends. */
export async function keepsBvn(tx: Tx, keyring: Keyring, id: string): Promise<boolean> {
  const found = await holdCustomer(tx, keyring, id);
  return found?.bvnHandedBackAt == null && found?.erasedAt == null;
}

/** Whether a customer is frozen or was erased; they stay so, or not, until this transaction ends. */
export async function isFrozen(tx: Tx, keyring: Keyring, id: string): Promise<boolean> {
  const found = await holdCustomer(tx, keyring, id);
  return found?.frozenAt != null || found?.erasedAt != null;
}

/**
 * A customer who is neither frozen nor erased, and is not before this transaction ends.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, as for somebody who does not exist
 */
export async function assertNotFrozen(tx: Tx, keyring: Keyring, id: string): Promise<void> {
  if (await isFrozen(tx, keyring, id)) throw new DomainError('PAYTAG_NOT_FOUND', 'no PayTag has this BVN');
}
