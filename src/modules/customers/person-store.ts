import { eq } from '#drizzle';
import type { ExportOf } from '#lib/personal-data.ts';
import { openValue } from './seals.ts';
import { contactChange, customer } from './tables.ts';

/** Who the customer is, how they are reached, and changes of that which are not in force yet. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [row] = await db.select().from(customer).where(eq(customer.id, customerId));
  if (row === undefined) return {};
  const changes = await db.select().from(contactChange).where(eq(contactChange.customerId, customerId));
  return {
    id: row.id,
    /** Of one who was erased: a pseudonym. */
    firstName: row.firstName,
    lastName: row.lastName,
    otherName: row.otherName,
    keptName: openValue(keyring, 'keptName', row.keptNameSealed),
    bvn: row.bvnHandedBackAt === null ? openValue(keyring, 'bvn', row.bvnSealed) : undefined, // it is another person's
    dateOfBirth: openValue(keyring, 'dateOfBirth', row.dateOfBirthSealed),
    address: openValue(keyring, 'address', row.addressSealed),
    imageUrl: row.imageUrl,
    phone: openValue(keyring, 'phone', row.phoneSealed),
    phoneProvenAt: row.phoneProvenAt,
    email: openValue(keyring, 'email', row.emailSealed),
    emailProvenAt: row.emailProvenAt,
    contactChanges: changes.map(({ contact, valueSealed, confirmedAt, inForceAt }) => ({
      contact,
      value: openValue(keyring, contact, valueSealed),
      confirmedAt,
      inForceAt,
    })),
    hasPassword: row.passwordHash !== null,
    frozenAt: row.frozenAt,
    bvnHandedBackAt: row.bvnHandedBackAt,
    erasedAt: row.erasedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
};
