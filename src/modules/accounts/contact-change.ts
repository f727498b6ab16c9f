import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import {
  type ContactKind,
  findDueContactChanges,
  forgetContactChanges,
  type LockedCustomer,
  lockCustomer,
  maskEmail,
  maskPhone,
  momentText,
  notifyCustomer,
  putInForce,
  storeContactChange,
} from '#modules/customers';
import { contactsOf } from './creation-session.ts';
import { type CreationRow, endContactChanges, endResets } from './store.ts';

/** From the notice to the old contact until the new one is in force: time to stop it. */
const DELAY_MS = 24 * 3_600_000;
/** In one run at most; what is left waits for the next. */
const CHANGES_MAX = 200;

/** A customer, and the partner that the request comes through. */
interface Pair {
  customerId: string;
  partnerId: string;
}

/** A contact as it may be shown. */
export const maskContact = (contact: ContactKind, value: string): string =>
  contact === 'email' ? maskEmail(value) : maskPhone(value);

/**
 * A code came back from a new contact: it comes into force in 24 hours, in the sandbox immediately. The proven contacts get a notice.
 *
 * @param row the session, locked after its customer
 */
export async function confirmContactChange(
  tx: Tx,
  deps: { keyring: Keyring; clock: Clock; environment: string },
  { customer, ...row }: CreationRow & Pick<LockedCustomer, 'customer'>,
): Promise<void> {
  const { keyring, clock, environment } = deps;
  const { partnerId } = row;
  const customerId = customer.id;
  const { phone, email } = contactsOf(keyring, row);
  const contact = phone === undefined ? 'email' : 'phone';
  const value = phone ?? email ?? '';
  const now = clock.now();
  const inForceAt = environment === 'sandbox' ? now : new Date(now.getTime() + DELAY_MS);
  const what = `${contact === 'phone' ? 'phone' : 'e-mail address'} ${maskContact(contact, value)}`;
  const detail = `${what} from ${momentText(inForceAt)}`;
  await notifyCustomer(tx, deps, { customerId, partnerId, kind: 'CONTACT_CHANGE', detail, now });
  await storeContactChange(tx, keyring, { customerId, contact, value, confirmedAt: now, inForceAt });
  if (inForceAt <= now) await comeIntoForce(tx, deps, customer, contact);
}

/**
 * Cancels the changes of a customer's contacts that are not in force yet, whether their code came back or not. The proven
 * contacts get a notice of those whose code had.
 *
 * @returns whether there was one
 */
export async function cancelChanges(tx: Tx, deps: { keyring: Keyring }, pair: Pair, now: Date): Promise<boolean> {
  const hadSession = await endContactChanges(tx, pair.customerId, now);
  const hadChange = await forgetContactChanges(tx, pair.customerId);
  if (hadChange) await notifyCustomer(tx, deps, { ...pair, kind: 'CONTACT_CHANGE_CANCELLED', now });
  return hadSession || hadChange;
}

/** The same, at the customer's own request. */
export async function cancelContactChanges(
  deps: { transact: Transact; keyring: Keyring; clock: Clock },
  pair: Pair,
): Promise<boolean> {
  return deps.transact(async (tx) => {
    await lockCustomer(tx, pair.customerId);
    return cancelChanges(tx, deps, pair, deps.clock.now());
  });
}

/**
 * Puts the changes in force that are due; those of a frozen customer are deleted. Several processes may do so at the same
 * time. An altered row does not stop the others.
 */
export async function putContactChangesInForce(deps: {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  securityLog: SecurityLog;
}): Promise<void> {
  for (const change of await findDueContactChanges(deps.db, deps.clock.now(), CHANGES_MAX)) {
    try {
      await deps.transact(async (tx) => {
        const { customer } = await lockCustomer(tx, change.customerId);
        if (customer.frozenAt === null) await comeIntoForce(tx, deps, customer, change.contact);
        else await forgetContactChanges(tx, change.customerId);
      });
    } catch (error) {
      if (!(error instanceof AlteredRecord)) throw error;
      deps.securityLog.record('stored_record_altered', { record: error.record });
    }
  }
}

/** With a contact end the password resets whose codes go to the old one. */
async function comeIntoForce(
  tx: Tx,
  { keyring, clock }: { keyring: Keyring; clock: Clock },
  customer: LockedCustomer['customer'],
  contact: ContactKind,
): Promise<void> {
  const now = clock.now();
  if (await putInForce(tx, keyring, { customer, contact }, now)) await endResets(tx, { customerId: customer.id }, now);
}
