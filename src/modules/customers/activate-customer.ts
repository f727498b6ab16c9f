import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import { bvnAlreadyRegistered } from './create-customer.ts';
import type { Customer } from './customer.ts';
import { indexOf, sealValue } from './seals.ts';
import { insertPasswordHash, updateCustomer } from './store.ts';

/**
 * Gives a customer, whom a partner made, her first password, and what is not on record yet. An address on record
 * stays: an OTP goes there.
 *
 * @throws DomainError BVN_ALREADY_REGISTERED when she has a password, also when she got it a moment ago
 */
export async function activateCustomer(
  tx: Tx,
  keyring: Keyring,
  customer: Customer,
  given: { passwordHash: string; email: string | undefined; imageUrl: string | undefined },
  now: Date,
): Promise<void> {
  if (!(await insertPasswordHash(tx, customer.id, given.passwordHash, now))) throw bvnAlreadyRegistered();
  const email = customer.email === undefined ? given.email : undefined;
  await updateCustomer(tx, customer.id, {
    ...(email !== undefined && {
      emailSealed: sealValue(keyring, 'email', email),
      emailIndex: indexOf(keyring, 'email', email),
    }),
    ...(given.imageUrl !== undefined && { imageUrl: given.imageUrl }),
    updatedAt: now,
  });
}
