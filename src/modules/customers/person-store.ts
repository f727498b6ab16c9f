import { eq } from '#drizzle';
import type { ExportOf, OfCustomer } from '#lib/personal-data.ts';
import { prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { openChange, openValue } from './seals.ts';
import { contactChange, customer } from './tables.ts';

/** Who the customer is, how they are reached, and changes of that which are not in force yet. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [row, changes] = await Promise.all([record(db, { customerId }), changesOf(db, { customerId })]);
  if (row === undefined) return {};
  return {
    id: row.id,
    /** Of one who was erased: a pseudonym. */
    firstName: row.firstName,
    lastName: row.lastName,
    otherName: row.otherName,
    keptName: openValue(keyring, row, 'keptName'),
    bvn: row.bvnHandedBackAt === null ? openValue(keyring, row, 'bvn') : undefined, // it is another person's
    dateOfBirth: openValue(keyring, row, 'dateOfBirth'),
    address: openValue(keyring, row, 'address'),
    imageUrl: row.imageUrl,
    phone: openValue(keyring, row, 'phone'),
    phoneProvenAt: row.phoneProvenAt,
    email: openValue(keyring, row, 'email'),
    emailProvenAt: row.emailProvenAt,
    contactChanges: changes.map((change) => ({
      contact: change.contact,
      value: openChange(keyring, change),
      confirmedAt: change.confirmedAt,
      inForceAt: change.inForceAt,
    })),
    hasPassword: row.passwordHash !== null,
    frozenAt: row.frozenAt,
    bvnHandedBackAt: row.bvnHandedBackAt,
    erasedAt: row.erasedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
};

const record = preparedOne('customers.export', (db, given: OfCustomer) =>
  db.select().from(customer).where(eq(customer.id, given.customerId)),
);
const changesOf = prepared('customers.export-changes', (db, given: OfCustomer) =>
  db.select().from(contactChange).where(eq(contactChange.customerId, given.customerId)),
);
