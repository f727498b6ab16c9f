import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { bvnAlreadyRegistered } from './create-customer.ts';
import type { Contacts } from './customer.ts';
import { emailColumns, phoneColumns } from './seals.ts';
import { type CustomerRow, lockCredentials, updateCustomer } from './store.ts';

/**
 * Gives a customer, whom a partner made and the caller has locked, their first password, and what is not on record yet. A contact
 * that is proven stays, whatever is given: an OTP goes there. One that is not makes room for the register's.
 *
 * @throws DomainError BVN_ALREADY_REGISTERED when the customer has a password, also one set a moment ago
 */
export async function activateCustomer(
  tx: Tx,
  keyring: Keyring,
  customer: CustomerRow,
  given: {
    passwordHash: string;
    proven: Contacts;
    /** Not proven. */
    email: string | undefined;
    imageUrl: string | undefined;
  },
  now: Date,
): Promise<void> {
  const { id, phoneProvenAt, emailProvenAt } = customer;
  if (customer.passwordHash !== null || customer.frozenAt !== null || customer.erasedAt !== null) {
    throw bvnAlreadyRegistered();
  }
  const phone = phoneProvenAt === null ? given.proven.phone : undefined;
  const email = emailProvenAt === null ? given.proven.email : undefined;
  const unproven = email === undefined && emailProvenAt === null ? given.email : undefined;
  await updateCustomer(tx, keyring, customer, {
    passwordHash: given.passwordHash,
    ...(phone !== undefined && phoneColumns(keyring, id, phone, now)),
    ...(email !== undefined && emailColumns(keyring, id, email, now)),
    ...(unproven !== undefined && emailColumns(keyring, id, unproven, null)),
    ...(given.imageUrl !== undefined && { imageUrl: given.imageUrl }),
    updatedAt: now,
  });
}

/** Changes the password of a customer whom the caller has locked, so that what logins under way with the old one made can be ended. */
export async function changePassword(
  tx: Tx,
  keyring: Keyring,
  customer: CustomerRow,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await updateCustomer(tx, keyring, customer, { passwordHash, updatedAt: now });
}

/**
 * True while this is the hash of the customer's password, their PayTag is not closed and they are not frozen; then all of it
 * stays so until this transaction ends.
 */
export async function mayLogIn(tx: Tx, keyring: Keyring, customerId: string, passwordHash: string): Promise<boolean> {
  const found = await lockCredentials(tx, keyring, customerId);
  if (found === undefined || found.tagStatus === 'CLOSED') return false;
  return found.customer.passwordHash === passwordHash && found.customer.frozenAt === null;
}
