import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { forgetConfirmations } from '#modules/consent';
import {
  assertPasswordAllowed,
  changePassword,
  hashPassword,
  lockCustomer,
  partnerShare,
  tellCustomer,
} from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { endSessionsOf, forgetFailedLogins, recordPriorLogin } from '#modules/sessions';
import { cancelChanges } from './contact-change.ts';
import { assertLiveReset, assertValidated, creationKey, type PasswordReset, resetStateOf } from './creation.ts';
import { type CreationRow, endResets, lockCreation, selectCreation, updateCreation } from './onboarding-store.ts';

/**
 * Changes a forgotten password, once a code of the session was validated. With the old password end the customer's
 * sessions at all partners, the codes that could become one, their other resets, changes of their contacts that are not
 * in force, and consents that no application has fetched yet: whoever has the proven contact stops whoever had the password. They are told. Of two completions at once, one
 * does it.
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
    const { customer, tag: owned } = await lockCustomer(tx, seen.customerId); // before the session, as whoever freezes them
    const now = clock.now();
    const row = assertCompletable(await lockCreation(tx, keyring, key), now);
    const { customerId } = row;
    const pair = { partnerId: key.partnerId, customerId };
    await tellCustomer(tx, deps, { ...pair, kind: 'PASSWORD_RESET', now });
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
