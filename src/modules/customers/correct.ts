import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { sealValue } from './seals.ts';
import { type CustomerRow, updateCustomer } from './store.ts';

/** What is right of a person, where something else is on record. What is left out stays. */
export interface Correction {
  firstName?: string | undefined;
  lastName?: string | undefined;
  otherName?: string | undefined;
  /** YYYY-MM-DD. */
  dateOfBirth?: string | undefined;
  address?: string | undefined;
}

/** Corrects what is on record of a customer, whom the caller has locked. Another name counts as confirmed: who corrects has seen it. */
export async function correctRecord(
  tx: Tx,
  keyring: Keyring,
  customer: CustomerRow,
  { dateOfBirth, address, ...names }: Correction,
  now: Date,
): Promise<void> {
  const given: Partial<Pick<CustomerRow, keyof typeof names>> = Object.fromEntries(
    Object.entries(names).filter(([, name]) => name !== undefined),
  );
  const { id } = customer;
  await updateCustomer(tx, keyring, customer, {
    ...given,
    ...(names.otherName !== undefined && { isOtherNameConfirmed: true }),
    ...(dateOfBirth !== undefined && { dateOfBirthSealed: sealValue(keyring, id, 'dateOfBirth', dateOfBirth) }),
    ...(address !== undefined && { addressSealed: sealValue(keyring, id, 'address', address) }),
    updatedAt: now,
  });
}
