import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import type { Contacts } from './customer.ts';
import { emailColumns, openValue, phoneColumns } from './seals.ts';
import { selectByIds, updateCustomer } from './store.ts';

/** What the register is asked by: a customer's BVN and, where it is on record, their date of birth. */
export async function findRegistration(
  db: Executor,
  keyring: Keyring,
  customerId: string,
): Promise<{ bvn: string; dateOfBirth: string | undefined }> {
  const [found] = await selectByIds(db, [customerId]);
  if (found === undefined) throw new Error('a customer that was found is not there');
  const { bvnSealed, dateOfBirthSealed } = found.customer;
  return {
    bvn: openValue(keyring, 'bvn', bvnSealed) ?? '',
    dateOfBirth: openValue(keyring, 'dateOfBirth', dateOfBirthSealed),
  };
}

/** Records contacts of a customer as proven. A contact that is left out stays as it is. */
export async function recordProven(
  db: Executor,
  keyring: Keyring,
  { customerId, proven: { phone, email }, now }: { customerId: string; proven: Partial<Contacts>; now: Date },
): Promise<void> {
  await updateCustomer(db, customerId, {
    ...(phone !== undefined && phoneColumns(keyring, phone, now)),
    ...(email !== undefined && emailColumns(keyring, email, now)),
    updatedAt: now,
  });
}
