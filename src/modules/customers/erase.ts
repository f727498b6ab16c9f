import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { deleteChanges } from './contact-change-store.ts';
import { fullName } from './customer.ts';
import { sealValue } from './seals.ts';
import { type CustomerRow, deleteOfErased } from './store.ts';

/**
 * Forgets who a customer is, whom the caller has locked: names become a pseudonym, and all else goes but the BVN, by which
 * nobody is found any more, and the name it was verified with. Both are kept sealed, for five years.
 */
export async function eraseCustomer(tx: Tx, keyring: Keyring, customer: CustomerRow, now: Date): Promise<void> {
  const { id, firstName, lastName, otherName } = customer;
  await deleteChanges(tx, id);
  const name = fullName({ firstName, lastName, otherName: otherName ?? undefined, isOtherNameConfirmed: true });
  const keptNameSealed = sealValue(keyring, id, 'keptName', name);
  await deleteOfErased(tx, keyring, customer, { ...pseudonymOf(id), keptNameSealed }, now);
}

/** What a person is called who was erased: nobody's name, and not twice the same. */
const pseudonymOf = (id: string) => ({ firstName: 'Erased', lastName: id.slice(0, 8) });
