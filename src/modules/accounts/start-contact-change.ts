import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomToken } from '#lib/random.ts';
import {
  type ContactKind,
  findContactChanges,
  findCustomer,
  isFrozen,
  readEmail,
  readReachablePhone,
} from '#modules/customers';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { maskContact } from './contact-change.ts';
import { type CreationState, creationKey, SESSION_TTL_MS, sealValue, stateOf } from './creation-session.ts';
import { sendOtp } from './otp.ts';
import { insertCreation, selectCreation } from './store.ts';
import { proveByRegister } from './verify-bvn.ts';

/** Of one customer, at all partners. */
const CHANGES = { name: 'contact changes', points: 10, windowS: 24 * 3600 };

/** As the customer's partner sends it. */
export interface ContactChangeRequest {
  partnerId: string;
  customerId: string;
  phone?: string | undefined;
  email?: string | undefined;
}

/**
 * Begins the change of a customer's phone or e-mail address, or the proof of one that is on record: a code goes to the new
 * contact. The OTP operations take the session; with the code the change is confirmed. Of a customer from before contacts
 * were compared the register is asked first: its phone gets the notice of the change.
 *
 * @throws DomainError INVALID_PARAMETER, also for a contact that is proven already; INVALID_CUSTOMER_TOKEN for
 *   one who was frozen a moment ago; BVN_PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS, and as `sendOtp`
 */
export async function startContactChange(
  deps: Parameters<typeof sendOtp>[0] & { transact: Transact; bvn: BvnProvider; messagingCountries: readonly string[] },
  { partnerId, customerId, ...given }: ContactChangeRequest,
): Promise<CreationState & { session: string }> {
  const { db, keyring, clock, throttles } = deps;
  if ((given.phone === undefined) === (given.email === undefined)) {
    throw new DomainError('INVALID_PARAMETER', 'phone, email: give the one that is to change');
  }
  const phone = given.phone === undefined ? undefined : readReachablePhone(given.phone, deps.messagingCountries);
  const email = given.email === undefined ? undefined : readEmail(given.email);
  await throttles.take(CHANGES, customerId);
  const known = await findCustomer(db, keyring, customerId);
  if (known !== undefined) await proveByRegister(deps, known); // so that the owner has a contact for the notice
  const customer = await findCustomer(db, keyring, customerId);
  if (customer === undefined) throw new Error('the customer of a token is not there');
  if (phone !== undefined && phone === customer.proven.phone) throw isProven('phone');
  if (email !== undefined && email === customer.proven.email) throw isProven('email');

  const session = randomToken();
  const key = creationKey({ partnerId, session });
  const now = clock.now();
  const values = {
    ...key,
    kind: 'CONTACT_CHANGE' as const,
    customerId,
    firstName: customer.firstName,
    lastName: customer.lastName,
    otherName: customer.otherName,
    isOtherNameConfirmed: false,
    phoneSealed: sealValue(keyring, key, 'phone', phone),
    emailSealed: sealValue(keyring, key, 'email', email),
    isEmailProven: email !== undefined, // as far as it takes the code that proves it
    paytag: customer.tag,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SESSION_TTL_MS),
  };
  await deps.transact(async (tx) => {
    if (await isFrozen(tx, keyring, customerId))
      throw new DomainError('INVALID_CUSTOMER_TOKEN', 'the token is not valid: log in again');
    await insertCreation(tx, keyring, values);
  });
  await sendOtp(deps, { partnerId, session, channel: phone === undefined ? 'email' : 'sms' });
  const created = await selectCreation(db, keyring, key);
  if (created === undefined) throw new Error('a session that was made a moment ago is not there');
  return { session, ...stateOf(keyring, created) };
}

const isProven = (member: string) =>
  new DomainError('INVALID_PARAMETER', `${member}: is the customer’s already, and proven`);

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
