import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { ChangeRow } from './store.ts';

const KEY = ['id'];
const columns = {
  bvn: { table: 'customers.customer', column: 'bvn_sealed', row: KEY },
  phone: { table: 'customers.customer', column: 'phone_sealed', row: KEY },
  email: { table: 'customers.customer', column: 'email_sealed', row: KEY },
  dateOfBirth: { table: 'customers.customer', column: 'date_of_birth_sealed', row: KEY },
  address: { table: 'customers.customer', column: 'address_sealed', row: KEY },
  keptName: { table: 'customers.customer', column: 'kept_name_sealed', row: KEY },
} as const;
const CHANGE = {
  table: 'customers.contact_change',
  column: 'value_sealed',
  row: ['customer_id', 'contact', 'in_force_at'],
} as const;

/** What a rekey seals again. */
export const sealedColumns: readonly SealedColumn[] = [...Object.values(columns), CHANGE];

type Sealed = keyof typeof columns;

/** What a value of this column is looked up by. E-mail addresses are folded, since their owners write them either way. */
export const indexOf = (keyring: Keyring, column: 'bvn' | 'phone' | 'email', value: string): Buffer =>
  keyring.blindIndex(`customer.${column}`, column === 'email' ? value.toLowerCase() : value);

/** A value of a customer as it is stored; null for none. */
export const sealValue = (keyring: Keyring, id: string, column: Sealed, value: string | undefined): Buffer | null =>
  value === undefined ? null : keyring.seal(columns[column], [id], value);

/** What is stored of a customer in the clear; undefined for none. */
export const openValue = <Column extends Sealed>(
  keyring: Keyring,
  stored: { id: string } & Record<`${Column}Sealed`, Buffer | null>,
  column: Column,
): string | undefined => {
  const sealed = stored[`${column}Sealed`];
  return sealed === null ? undefined : keyring.open(columns[column], [stored.id], sealed);
};

/** A contact that is not in force yet, as it is stored. */
export const sealChange = (keyring: Keyring, { customerId, contact, inForceAt }: ChangeName, value: string): Buffer =>
  keyring.seal(CHANGE, [customerId, contact, inForceAt], value);

/** The same in the clear. */
export const openChange = (keyring: Keyring, { customerId, contact, inForceAt, valueSealed }: ChangeRow): string =>
  keyring.open(CHANGE, [customerId, contact, inForceAt], valueSealed);

type ChangeName = Pick<ChangeRow, 'customerId' | 'contact' | 'inForceAt'>;

/** A phone as the columns of a customer hold it. @param provenAt null: it is not proven */
export const phoneColumns = (keyring: Keyring, id: string, phone: string, provenAt: Date | null) => ({
  phoneSealed: sealValue(keyring, id, 'phone', phone),
  phoneIndex: indexOf(keyring, 'phone', phone),
  phoneProvenAt: provenAt,
});

/** An e-mail address as the columns of a customer hold it. @param provenAt null: it is not proven */
export const emailColumns = (keyring: Keyring, id: string, email: string, provenAt: Date | null) => ({
  emailSealed: sealValue(keyring, id, 'email', email),
  emailIndex: indexOf(keyring, 'email', email),
  emailProvenAt: provenAt,
});
