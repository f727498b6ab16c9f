import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Contacts } from './customer.ts';
import { emailColumns, openChange, openValue, phoneColumns, sealChange } from './seals.ts';
import {
  type ChangeRow,
  type CustomerRow,
  deleteChanges,
  deleteDueChange,
  selectByIds,
  selectChanges,
  selectDueChanges,
  updateCustomer,
  upsertChange,
} from './store.ts';

/** Which of a person's contacts. */
export type ContactKind = ChangeRow['contact'];

/** A new contact that its customer has confirmed, and that is not in force yet. */
export interface ContactChange {
  customerId: string;
  contact: ContactKind;
  /** E.164, or an e-mail address. */
  value: string;
  confirmedAt: Date;
  inForceAt: Date;
}

/**
 * What the register is asked by: a customer's BVN and, where it is on record, their date of birth. Undefined of one about
 * whom it is not asked any more, since the BVN was handed back to its owner or is not on record.
 */
export async function findRegistration(
  db: Executor,
  keyring: Keyring,
  customerId: string,
): Promise<{ bvn: string; dateOfBirth: string | undefined } | undefined> {
  const [found] = await selectByIds(db, [customerId]);
  if (found === undefined) throw new Error('a customer that was found is not there');
  const { customer } = found;
  const bvn = customer.bvnIndex === null ? undefined : openValue(keyring, customer, 'bvn');
  return bvn === undefined ? undefined : { bvn, dateOfBirth: openValue(keyring, customer, 'dateOfBirth') };
}

/** Records of a customer, whom the caller has locked, what is proven. What is left out stays as it is. */
export async function recordProven(
  tx: Tx,
  keyring: Keyring,
  customer: CustomerRow,
  { phone, email, isOtherNameConfirmed = false }: Partial<Contacts> & { isOtherNameConfirmed?: boolean },
  now: Date,
): Promise<void> {
  await updateCustomer(tx, keyring, customer, {
    ...(phone !== undefined && phoneColumns(keyring, customer.id, phone, now)),
    ...(email !== undefined && emailColumns(keyring, customer.id, email, now)),
    ...(isOtherNameConfirmed && { isOtherNameConfirmed }),
    updatedAt: now,
  });
}

/** Stores a change that its customer has confirmed; another one of the same contact makes room for it. */
export async function storeContactChange(tx: Tx, keyring: Keyring, change: ContactChange): Promise<void> {
  const { value, ...row } = change;
  await upsertChange(tx, { ...row, valueSealed: sealChange(keyring, change, value) });
}

/** The changes of a customer's contacts that are not in force yet. */
export async function findContactChanges(db: Executor, keyring: Keyring, customerId: string): Promise<ContactChange[]> {
  return (await selectChanges(db, customerId)).map((row) => toChange(keyring, row));
}

/** Forgets the changes of a customer's contacts that are not in force yet. @returns whether there was one */
export const forgetContactChanges = deleteChanges;

/** The customers with a change that should be in force by now, each with the contact. */
export const findDueContactChanges = selectDueChanges;

/**
 * Puts a change in force whose time has come: the new contact is the customer's, whom the caller has locked, and proven.
 *
 * @returns false when there is none any more
 */
export async function putInForce(
  tx: Tx,
  keyring: Keyring,
  { customer, contact }: { customer: CustomerRow; contact: ContactKind },
  now: Date,
): Promise<boolean> {
  const row = await deleteDueChange(tx, { customerId: customer.id, contact }, now);
  if (row === undefined) return false;
  await recordProven(tx, keyring, customer, { [contact]: toChange(keyring, row).value }, now);
  return true;
}

function toChange(keyring: Keyring, stored: ChangeRow): ContactChange {
  const { valueSealed: _sealed, ...row } = stored;
  return { ...row, value: openChange(keyring, stored) };
}
