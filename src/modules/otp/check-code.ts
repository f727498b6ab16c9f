import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { isCode, type KeptCode } from './code.ts';
import type { GuessThrottle } from './throttle.ts';

/** A code that somebody gives, and where whoever sent it keeps it. */
export interface CodeToCheck<Kept extends KeptCode, Result> {
  /** As it was digested for. */
  purpose: string;
  code: string;
  throttle: GuessThrottle;
  /** What is kept of the code that was sent last, locked. Throws when none can be given. */
  lock(tx: Tx): Promise<Kept>;
  /** The code is right: makes sure that it is worth nothing a second time. */
  accept(tx: Tx, kept: Kept): Promise<Result>;
  /** Counts a wrong code, where they are counted. */
  countWrong?(tx: Tx, kept: Kept): Promise<void>;
}

/**
 * Takes a code that somebody gives. However many come at once, each is counted by the throttle before it is looked at.
 *
 * @throws DomainError OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, and what `lock` says
 */
export async function checkCode<Kept extends KeptCode, Result>(
  { transact, keyring, clock }: { transact: Transact; keyring: Keyring; clock: Clock },
  { purpose, code, throttle, ...store }: CodeToCheck<Kept, Result>,
): Promise<Result> {
  await throttle.takeGuess(); // before the transaction, in which nothing else is waited for
  const outcome = await transact(async (tx) => {
    const kept = await store.lock(tx);
    if (!isCode(keyring, purpose, kept.codeDigest, code)) {
      await store.countWrong?.(tx, kept);
      return undefined; // not a throw, so that the count is committed
    }
    if (kept.codeExpiresAt === null || kept.codeExpiresAt <= clock.now()) {
      throw new DomainError('OTP_EXPIRED', 'otp: the code has expired: have another sent');
    }
    return { result: await store.accept(tx, kept) };
  });
  if (outcome === undefined) throw new DomainError('OTP_INVALID', 'otp: is not the code that was sent last');
  await throttle.succeeded();
  return outcome.result;
}
