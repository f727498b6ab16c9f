import type { Clock } from '#lib/clock.ts';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import type { Throttles } from '#modules/throttles';
import { addressesOf, addressFor, assertLive, creationKey, masked } from './creation.ts';
import { FAILURES_MAX } from './limits.ts';
import { otpDigest } from './otp-digest.ts';
import { otpThrottle } from './otp-throttle.ts';
import { attemptsExceeded, type OtpDispatch, secondsUntil } from './send-otp.ts';
import { type CreationKey, type CreationRow, lockCreation, selectCreation, updateCreation } from './store.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; throttles: Throttles };

/**
 * Takes the code that was sent last. Wrong ones are counted under the row's lock: however many come at once, five are
 * looked at.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, OTP_ALREADY_VALIDATED, OTP_NOT_SENT, OTP_INVALID, OTP_EXPIRED,
 *   OTP_ATTEMPTS_EXCEEDED, TOO_MANY_REQUESTS
 */
export async function validateOtp(
  deps: Deps,
  { otp, ...request }: { partnerId: string; session: string; otp: string },
): Promise<OtpDispatch> {
  const key = creationKey(request);
  const seen = assertMayGuess(await selectCreation(deps.db, key), deps.clock.now());
  const throttle = otpThrottle(deps, seen);
  await throttle.takeGuess(); // before the transaction, in which nothing else is waited for
  const outcome = await deps.transact((tx) => takeCode(tx, deps, key, otp));
  if (outcome === 'wrong') throw new DomainError('OTP_INVALID', 'otp: is not the code that was sent last');
  await throttle.succeeded();
  return outcome;
}

/** A wrong code is an outcome, not a throw, so that its counting is committed. */
async function takeCode(
  tx: Tx,
  { keyring, clock }: Deps,
  key: CreationKey,
  otp: string,
): Promise<OtpDispatch | 'wrong'> {
  const now = clock.now();
  const row = assertMayGuess(await lockCreation(tx, key), now);
  const { otpDigest: expected, otpChannel: channel, otpReference: reference, otpExpiresAt } = row;
  if (!equalDigests(expected, otpDigest(keyring, key, otp))) {
    await updateCreation(tx, key, { otpFailures: row.otpFailures + 1 });
    return 'wrong';
  }
  if (otpExpiresAt <= now) throw new DomainError('OTP_EXPIRED', 'otp: the code is over: have another sent');
  await updateCreation(tx, key, { status: 'VALIDATED', otpDigest: null });
  const to = addressFor(addressesOf(keyring, row), channel);
  const recipients = to === undefined ? [] : [masked(channel, to)];
  return { provider: channel, reference, recipients, validated: true };
}

/** A session in which a code was sent that can be answered. */
type Guessable = CreationRow & {
  [Member in 'otpDigest' | 'otpChannel' | 'otpReference' | 'otpExpiresAt']: NonNullable<CreationRow[Member]>;
};

function assertMayGuess(row: CreationRow | undefined, now: Date): Guessable {
  assertLive(row, now);
  if (row.status !== 'STARTED') {
    throw new DomainError('OTP_ALREADY_VALIDATED', 'a code of this session was validated already');
  }
  if (row.otpFailures >= FAILURES_MAX) throw attemptsExceeded(secondsUntil(row.expiresAt, now));
  const { otpDigest: expected, otpChannel, otpReference, otpExpiresAt } = row;
  if (expected === null || otpChannel === null || otpReference === null || otpExpiresAt === null) {
    throw new DomainError('OTP_NOT_SENT', 'no code was sent in this session yet');
  }
  return { ...row, otpDigest: expected, otpChannel, otpReference, otpExpiresAt };
}
