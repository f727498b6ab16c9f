import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type ContactKind, findContactChanges, findCustomer } from '#modules/customers';
import { maskContact } from './contact-change.ts';

/** A customer's contacts, and what is to become of them. */
export interface ContactsView {
  phone: string | undefined;
  phoneProven: boolean;
  email: string | undefined;
  emailProven: boolean;
  /** Confirmed, and not in force yet. */
  changes: { contact: ContactKind; recipient: string; inForceAt: Date }[];
}

/** The contacts of a customer who is logged in. */
export async function getContacts(
  { db, keyring }: { db: Database; keyring: Keyring },
  customerId: string,
): Promise<ContactsView> {
  const [customer, changes] = await Promise.all([
    findCustomer(db, keyring, customerId),
    findContactChanges(db, keyring, customerId),
  ]);
  if (customer === undefined) throw new Error('the customer of a token is not there');
  const { phone, email, proven } = customer;
  return {
    phone,
    phoneProven: proven.phone !== undefined,
    email,
    emailProven: proven.email !== undefined,
    changes: changes.map(({ contact, value, inForceAt }) => ({
      contact,
      recipient: maskContact(contact, value),
      inForceAt,
    })),
  };
}
