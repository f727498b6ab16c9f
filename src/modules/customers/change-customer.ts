import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Contacts, fullName } from './customer.ts';
import { emailColumns, indexOf, phoneColumns, sealValue } from './seals.ts';
import {
  type CustomerRow,
  deleteChanges,
  deleteOfErased,
  holdCustomer,
  insertCustomer,
  type LockedCustomer,
  lockCredentials,
  lockForOperator,
  updateCustomer,
} from './store.ts';

/** What is known of a person, read by the functions of `personal-data.ts`. */
export interface Person {
  bvn: string;
  firstName: string;
  lastName: string;
  otherName?: string | undefined;
  phone?: string | undefined;
  email?: string | undefined;
  dateOfBirth?: string | undefined;
  address?: string | undefined;
  imageUrl?: string | undefined;
}

export interface NewCustomer extends Person {
  id: string;
  tagId: string;
  /** Which of phone and email are proven. */
  proven: { phone: boolean; email: boolean };
  /** The register holds the other name. */
  isOtherNameConfirmed: boolean;
  /** PHC string; undefined for a customer whom a partner makes: onboarding sets it. */
  passwordHash?: string | undefined;
}

/** Stores a new customer, their personal data sealed. @throws DomainError BVN_ALREADY_REGISTERED */
export async function createCustomer(tx: Tx, keyring: Keyring, person: NewCustomer, now: Date): Promise<void> {
  const { phone, email } = person;
  const created = await insertCustomer(tx, keyring, {
    id: person.id,
    tagId: person.tagId,
    bvnSealed: sealValue(keyring, person.id, 'bvn', person.bvn),
    bvnIndex: indexOf(keyring, 'bvn', person.bvn),
    firstName: person.firstName,
    lastName: person.lastName,
    otherName: person.otherName,
    isOtherNameConfirmed: person.isOtherNameConfirmed,
    ...(phone !== undefined && phoneColumns(keyring, person.id, phone, person.proven.phone ? now : null)),
    ...(email !== undefined && emailColumns(keyring, person.id, email, person.proven.email ? now : null)),
    dateOfBirthSealed: sealValue(keyring, person.id, 'dateOfBirth', person.dateOfBirth),
    addressSealed: sealValue(keyring, person.id, 'address', person.address),
    imageUrl: person.imageUrl,
    passwordHash: person.passwordHash,
    createdAt: now,
    updatedAt: now,
  });
  if (created === undefined) throw bvnAlreadyRegistered();
}

/** The refusal of a BVN that another customer has. */
export const bvnAlreadyRegistered = (): DomainError =>
  new DomainError(
    'BVN_ALREADY_REGISTERED',
    'a customer has this BVN already: they log in with their PayTag, and a partner links them by POST /partner/paytag/bvn/{bvn}',
  );

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

/**
 * A customer, locked until this transaction ends: meanwhile they cannot log in, set a password or start a session. Lock order:
 * before their wallets, their PayTag and their sessions.
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

/** Frees the BVN of a customer, whom the caller has locked. Its sealed value stays on record. */
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
 * @throws DomainError PAYTAG_NOT_FOUND, as for an unknown PayTag
 */
export async function assertNotFrozen(tx: Tx, keyring: Keyring, id: string): Promise<void> {
  if (await isFrozen(tx, keyring, id)) throw new DomainError('PAYTAG_NOT_FOUND', 'no PayTag has this BVN');
}

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

/**
 * Forgets who a customer is, whom the caller has locked: names become a pseudonym, and all else is deleted but the BVN,
 * by which no lookup finds them, and the name it was verified with. Both are kept sealed, for five years.
 */
export async function eraseCustomer(tx: Tx, keyring: Keyring, customer: CustomerRow, now: Date): Promise<void> {
  const { id, firstName, lastName, otherName } = customer;
  await deleteChanges(tx, id);
  const name = fullName({ firstName, lastName, otherName: otherName ?? undefined, isOtherNameConfirmed: true });
  const keptNameSealed = sealValue(keyring, id, 'keptName', name);
  await deleteOfErased(tx, keyring, customer, { ...pseudonymOf(id), keptNameSealed }, now);
}

/** The name of an erased customer: a different one for each. */
const pseudonymOf = (id: string) => ({ firstName: 'Erased', lastName: id.slice(0, 8) });
