import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import { bvnAlreadyRegistered } from './create-customer.ts';
import type { Contacts, Customer } from './customer.ts';
import { emailColumns, phoneColumns } from './seals.ts';
import { insertPasswordHash, lockCredentials, updateCustomer, updatePasswordHash } from './store.ts';

/**
 * Gives a customer, whom a partner made, their first password, and what is not on record yet. A contact that is proven
 * stays, whatever is given: an OTP goes there. One that is not makes room for the register's.
 *
 * @throws DomainError BVN_ALREADY_REGISTERED when the customer has a password, also one set a moment ago
 */
export async function activateCustomer(
  tx: Tx,
  keyring: Keyring,
  customer: Customer,
  given: {
    passwordHash: string;
    proven: Contacts;
    /** Not proven. */
    email: string | undefined;
    imageUrl: string | undefined;
  },
  now: Date,
): Promise<void> {
  if (!(await insertPasswordHash(tx, customer.id, given.passwordHash, now))) throw bvnAlreadyRegistered();
  const phone = customer.proven.phone === undefined ? given.proven.phone : undefined;
  const email = customer.proven.email === undefined ? given.proven.email : undefined;
  const unproven = email === undefined && customer.proven.email === undefined ? given.email : undefined;
  await updateCustomer(tx, customer.id, {
    ...(phone !== undefined && phoneColumns(keyring, customer.id, phone, now)),
    ...(email !== undefined && emailColumns(keyring, customer.id, email, now)),
    ...(unproven !== undefined && emailColumns(keyring, customer.id, unproven, null)),
    ...(given.imageUrl !== undefined && { imageUrl: given.imageUrl }),
    updatedAt: now,
  });
}

/** Changes a customer's password. Waits for logins under way with the old one, so that what they made can be ended. */
export async function changePassword(tx: Tx, customerId: string, passwordHash: string, now: Date): Promise<void> {
  await updatePasswordHash(tx, customerId, passwordHash, now);
}

/**
 * True while this is the hash of the customer's password, their PayTag is not closed and they are not frozen; then all of it
 * stays so until this transaction ends.
 */
export async function mayLogIn(tx: Tx, customerId: string, passwordHash: string): Promise<boolean> {
  const found = await lockCredentials(tx, customerId);
  return found?.passwordHash === passwordHash && found.tagStatus !== 'CLOSED' && found.frozenAt === null;
}
