import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

/** The purpose each sealed column is sealed for, and its blind index keyed for. */
const purposes = {
  bvn: 'customer.bvn',
  phone: 'customer.phone',
  email: 'customer.email',
  dateOfBirth: 'customer.date_of_birth',
  address: 'customer.address',
  keptName: 'customer.kept_name',
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'customers.customer', column: 'bvn_sealed', purpose: purposes.bvn },
  { table: 'customers.customer', column: 'phone_sealed', purpose: purposes.phone },
  { table: 'customers.customer', column: 'email_sealed', purpose: purposes.email },
  { table: 'customers.customer', column: 'date_of_birth_sealed', purpose: purposes.dateOfBirth },
  { table: 'customers.customer', column: 'address_sealed', purpose: purposes.address },
  { table: 'customers.customer', column: 'kept_name_sealed', purpose: purposes.keptName },
  { table: 'customers.contact_change', column: 'value_sealed', purpose: [purposes.phone, purposes.email] },
];

type Sealed = keyof typeof purposes;

/** What a value of this column is looked up by. E-mail addresses are folded, since their owners write them either way. */
export const indexOf = (keyring: Keyring, column: 'bvn' | 'phone' | 'email', value: string): Buffer =>
  keyring.blindIndex(purposes[column], column === 'email' ? value.toLowerCase() : value);

/** A value as it is stored; null for none. */
export const sealValue = (keyring: Keyring, column: Sealed, value: string | undefined): Buffer | null =>
  value === undefined ? null : keyring.seal(purposes[column], value);

/** A stored value in the clear; undefined for none. */
export const openValue = (keyring: Keyring, column: Sealed, sealed: Buffer | null): string | undefined =>
  sealed === null ? undefined : keyring.open(purposes[column], sealed);

/** A phone as the columns of a customer hold it. @param provenAt null: it is not proven */
export const phoneColumns = (keyring: Keyring, phone: string, provenAt: Date | null) => ({
  phoneSealed: sealValue(keyring, 'phone', phone),
  phoneIndex: indexOf(keyring, 'phone', phone),
  phoneProvenAt: provenAt,
});

/** An e-mail address as the columns of a customer hold it. @param provenAt null: it is not proven */
export const emailColumns = (keyring: Keyring, email: string, provenAt: Date | null) => ({
  emailSealed: sealValue(keyring, 'email', email),
  emailIndex: indexOf(keyring, 'email', email),
  emailProvenAt: provenAt,
});
