import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomToken } from '#lib/random.ts';
import { type Contacts, findCustomer, findCustomerByPayTag, isFrozen } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { hasLoggedInBefore } from '#modules/sessions';
import { parseHandle } from '#modules/tags';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { creationKey, type PasswordReset, resetStateOf, SESSION_TTL_MS, sealValue } from './creation.ts';
import { insertCreation } from './onboarding-store.ts';
import { proveByRegister } from './prove-by-register.ts';

const nowhere: Contacts = { phone: undefined, email: undefined };

const HOUR_S = 3600;
/** Of one PayTag at one partner. */
const RESETS_OF_PAYTAG = { name: 'password resets', points: 10, windowS: HOUR_S };
/** Of PayTags that do not exist, at one partner. */
const RESETS_OF_UNKNOWN = { name: 'password resets', points: 100, windowS: HOUR_S };

/**
 * Begins the change of a forgotten password. The OTP goes to the customer's proven contacts; the answer is the same for
 * every PayTag that somebody has. For a customer who is frozen the session has no address, so that no code goes anywhere.
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
  // Whoever names PayTags that nobody has at a bank stops no customer of it.
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
