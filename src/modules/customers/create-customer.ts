import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { emailColumns, indexOf, phoneColumns, sealValue } from './seals.ts';
import { insertCustomer } from './store.ts';

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

/** The refusal of a BVN that is somebody's already. */
export const bvnAlreadyRegistered = (): DomainError =>
  new DomainError(
    'BVN_ALREADY_REGISTERED',
    'a customer has this BVN already: they log in with their PayTag, and a partner links them by POST /partner/paytag/bvn/{bvn}',
  );
