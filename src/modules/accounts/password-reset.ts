import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomToken } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { forgetConfirmations } from '#modules/consent';
import {
  assertPasswordAllowed,
  type Contacts,
  changePassword,
  findCustomer,
  findCustomerByPayTag,
  hashPassword,
  isFrozen,
  lockCustomer,
  notifyCustomer,
  partnerShare,
} from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { endSessionsOf, forgetFailedLogins, hasLoggedInBefore, recordPriorLogin } from '#modules/sessions';
import { parseHandle } from '#modules/tags';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { cancelChanges } from './contact-change.ts';
import {
  assertLiveReset,
  assertValidated,
  creationKey,
  type PasswordReset,
  resetStateOf,
  SESSION_TTL_MS,
  sealValue,
} from './creation-session.ts';
import { type CreationRow, endResets, insertCreation, lockCreation, selectCreation, updateCreation } from './store.ts';
import { proveByRegister } from './verify-bvn.ts';

const nowhere: Contacts = { phone: undefined, email: undefined };

const HOUR_S = 3600;

/** Of one PayTag at one partner. */
const RESETS_OF_PAYTAG = { name: 'password resets', points: 10, windowS: HOUR_S };

/** Of PayTags that do not exist, at one partner. */
const RESETS_OF_UNKNOWN = { name: 'password resets', points: 100, windowS: HOUR_S };

/**
 * Begins the change of a forgotten password. The OTP goes to the customer's proven contacts; the answer is the same for
 * every PayTag that exists. For a customer who is frozen the session has no address, so that no code goes anywhere.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, PASSWORD_NOT_SET, TOO_MANY_REQUESTS; BVN_PROVIDER_UNAVAILABLE for a customer whose
 *   phone has never been compared with the register
 */
export async function startPasswordReset(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock; throttles: Throttles; bvn: BvnProvider },
  { partnerId, paytag }: { partnerId: string; paytag: string },
): Promise<PasswordReset> {
  const { db, keyring, clock, throttles } = deps;
  const handle = parseHandle(paytag);
  await throttles.take(RESETS_OF_PAYTAG, JSON.stringify([partnerId, handle ?? paytag]));
  const customer = handle === undefined ? undefined : await findCustomerByPayTag(db, keyring, handle);
  // Requests for PayTags that do not exist must not stop a bank's own customers.
  const isKnown = customer !== undefined && (await hasLoggedInBefore(db, { partnerId, customerId: customer.id }));
  if (!isKnown) await throttles.assertOpen(RESETS_OF_UNKNOWN, partnerId);
  if (customer === undefined) {
    await throttles.take(RESETS_OF_UNKNOWN, partnerId);
    throw new DomainError('PAYTAG_NOT_FOUND', 'no customer has this PayTag');
  }
  if (customer.passwordHash === undefined) {
    throw new DomainError('PASSWORD_NOT_SET', 'this customer has no password yet: onboarding sets one');
  }

  const session = randomToken();
  const key = creationKey({ partnerId, session });
  const now = clock.now();
  if (!customer.isFrozen) await proveByRegister(deps, customer);
  const created = await deps.transact(async (tx) => {
    const isShutOut = await isFrozen(tx, keyring, customer.id); // from here on neither that nor the contacts change
    const { phone, email } = (isShutOut ? undefined : await findCustomer(tx, keyring, customer.id))?.proven ?? nowhere;
    return insertCreation(tx, keyring, {
      ...key,
      kind: 'PASSWORD_RESET',
      customerId: customer.id,
      firstName: customer.firstName,
      lastName: customer.lastName,
      otherName: customer.otherName,
      isOtherNameConfirmed: false,
      phoneSealed: sealValue(keyring, key, 'phone', phone),
      emailSealed: sealValue(keyring, key, 'email', email),
      isEmailProven: email !== undefined,
      paytag: customer.tag,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_TTL_MS),
    });
  });
  return resetStateOf(session, created);
}

/**
 * Changes a forgotten password, once a code of the session was validated. With the old password end the customer's
 * sessions at all partners, the codes that could become one, their other resets, changes of their contacts that are not
 * in force, and consents that no application has fetched yet: the owner of the proven contact stops a thief of the password.
 * The customer gets a notice. Of two completions at the same time one succeeds.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, SESSION_NOT_VALIDATED, SESSION_COMPLETED, WEAK_PASSWORD, BUSY
 */
export async function completePasswordReset(
  deps: {
    db: Database;
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    throttles: Throttles;
    securityLog: SecurityLog;
  },
  { password, ...request }: { partnerId: string; session: string; password: string },
): Promise<PasswordReset> {
  const { db, keyring, clock } = deps;
  const key = creationKey(request);
  const seen = assertCompletable(await selectCreation(db, keyring, key), clock.now());
  const { firstName, lastName, otherName, paytag } = seen;
  const tag = paytag ?? '';
  assertPasswordAllowed(password, { tag, firstName, lastName, otherName: otherName ?? undefined });
  const passwordHash = await hashPassword(password, partnerShare(key.partnerId)); // costly, so before the transaction

  const completed = await deps.transact(async (tx) => {
    const { customer, tag: owned } = await lockCustomer(tx, seen.customerId); // lock order: before the session, as a freeze does
    const now = clock.now();
    const row = assertCompletable(await lockCreation(tx, keyring, key), now);
    const { customerId } = row;
    const pair = { partnerId: key.partnerId, customerId };
    await notifyCustomer(tx, deps, { ...pair, kind: 'PASSWORD_RESET', now });
    await cancelChanges(tx, deps, pair, now);
    await changePassword(tx, keyring, customer, passwordHash, now);
    await endSessionsOf(tx, { customerId }, now);
    await forgetConfirmations(tx, keyring, owned.id, now);
    await endResets(tx, { customerId, except: key.digest }, now);
    await recordPriorLogin(tx, pair, now);
    await updateCreation(tx, keyring, row, { status: 'COMPLETED' });
    return { ...row, status: 'COMPLETED' as const };
  });
  deps.securityLog.record('password_changed', { customerId: completed.customerId });
  await forgetFailedLogins(deps, { partnerId: key.partnerId, paytag: tag });
  return resetStateOf(request.session, completed);
}

function assertCompletable(row: CreationRow | undefined, now: Date) {
  assertLiveReset(row, now);
  assertValidated(row);
  return row;
}
