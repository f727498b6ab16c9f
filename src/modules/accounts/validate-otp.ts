import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { concerning } from '#lib/security-events.ts';
import { lockCustomer } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { type CodeLimits, checkCode } from '#modules/limits';
import { confirmContactChange } from './contact-change.ts';
import { creationKey } from './creation.ts';
import { assertTakesCodes, codePurpose, creationThrottle, type OtpDispatch, recipientOf } from './creation-code.ts';
import { type CreationRow, lockCreation, selectCreation, updateCreation } from './onboarding-store.ts';

type Deps = {
  metrics: Meter;
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  throttles: Throttles;
  limits: CodeLimits;
  environment: string;
};

/**
 * Takes the code that was sent last. In a session that changes a contact it confirms the change. Wrong ones are counted under the row's lock: however many come at once, five are
 * looked at.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, OTP_ALREADY_VALIDATED, OTP_NOT_SENT, OTP_INVALID, OTP_EXPIRED,
 *   OTP_ATTEMPTS_EXCEEDED, TOO_MANY_REQUESTS
 */
export async function validateOtp(
  deps: Deps,
  { otp, ...request }: { partnerId: string; session: string; otp: string },
): Promise<OtpDispatch> {
  const { db, keyring, clock } = deps;
  const key = creationKey(request);
  const seen = assertWasSent(await selectCreation(db, keyring, key), clock.now());
  if (seen.customerId !== null) concerning({ customerId: seen.customerId });
  return checkCode(deps, {
    purpose: codePurpose(key),
    code: otp,
    throttle: await creationThrottle(deps, seen),
    openUntil: seen.codeExpiresAt,
    async lock(tx) {
      const changed = seen.kind === 'CONTACT_CHANGE' ? seen.customerId : null;
      const customer = changed === null ? undefined : (await lockCustomer(tx, changed)).customer;
      if (customer !== undefined && customer.frozenAt !== null) {
        throw new DomainError('SESSION_EXPIRED', 'the session has expired: start another');
      }
      const now = clock.now();
      return { ...assertWasSent(await lockCreation(tx, keyring, key), now), customer };
    },
    async accept(tx, { customer, ...row }) {
      const status = customer === undefined ? 'VALIDATED' : 'COMPLETED';
      await updateCreation(tx, keyring, row, { status, codeDigest: null });
      if (customer !== undefined) await confirmContactChange(tx, deps, { ...row, customer });
      const recipients = recipientOf(keyring, row, row.codeChannel);
      return { provider: row.codeChannel, reference: row.codeReference, recipients, validated: true };
    },
    countWrong: (tx, row) => updateCreation(tx, keyring, row, { wrongCodes: row.wrongCodes + 1 }),
  });
}

/** A session in which a code was sent that can be given. */
function assertWasSent(row: CreationRow | undefined, now: Date) {
  assertTakesCodes(row, now);
  const { codeDigest, codeChannel, codeReference, codeExpiresAt } = row;
  if (codeDigest === null || codeChannel === null || codeReference === null || codeExpiresAt === null) {
    throw new DomainError('OTP_NOT_SENT', 'no code was sent in this session yet');
  }
  return { ...row, codeDigest, codeChannel, codeReference, codeExpiresAt };
}
