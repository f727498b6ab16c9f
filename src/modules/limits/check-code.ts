import type { Clock } from '#lib/clock.ts';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { GuessThrottle } from './throttle.ts';

/** What is stored of the code that was sent last. */
interface StoredCode {
  /** Null when there is none that could be given: it was used, or none was sent. */
  codeDigest: Buffer | null;
  codeExpiresAt: Date | null;
}

/**
 * A code is stored as a keyed digest (an HMAC), since six digits could be guessed from any other. It is bound to its purpose
 * (e.g. `consent:` and an id): a code that was sent for one purpose proves nothing for another.
 */
export const codeDigest = (keyring: Keyring, purpose: string, code: string): Buffer =>
  keyring.blindIndex('otp', `${purpose}:${code}`);

/** Whether this is the code of the digest; no code is when there is no digest. */
export const isCode = (keyring: Keyring, purpose: string, digest: Buffer | null, code: string): boolean =>
  digest !== null && equalDigests(digest, codeDigest(keyring, purpose, code));

/** A code that somebody gives, and where it is stored. */
export interface CodeToCheck<Stored extends StoredCode, Result> {
  /** As it was digested for. */
  purpose: string;
  code: string;
  throttle: GuessThrottle;
  /** When the code that was sent last expires, as it was read before; null when none was sent. */
  openUntil: Date | null;
  /** What is stored of the code that was sent last, locked. Throws when none can be given. */
  lock(tx: Tx): Promise<Stored>;
  /** The code is right: makes sure that it is worth nothing a second time. */
  accept(tx: Tx, stored: Stored): Promise<Result>;
  /** Counts a wrong code, where they are counted. */
  countWrong?(tx: Tx, stored: Stored): Promise<void>;
}

/**
 * Takes a code that somebody gives. However many come at once, each is counted by the throttle before it is looked at.
 * Where no code was sent, or the last one has expired, there is nothing to guess and nothing is counted: whoever can ask
 * for a code, but sends none, closes no count of the person's.
 *
 * @throws DomainError OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, and what `lock` says
 */
export async function checkCode<Stored extends StoredCode, Result>(
  { transact, keyring, clock, metrics }: { transact: Transact; keyring: Keyring; clock: Clock; metrics: Meter },
  { purpose, code, throttle, openUntil, ...store }: CodeToCheck<Stored, Result>,
): Promise<Result> {
  const isOpen = (until: Date | null): boolean => until !== null && until > clock.now();
  const isCounted = isOpen(openUntil);
  const count = (outcome: 'right' | 'wrong' | 'expired' | 'throttled') =>
    metrics.add('paytag_otp_checked_total', { outcome });
  // Before the transaction, in which nothing else is waited for.
  if (isCounted) {
    await throttle.takeGuess().catch((refusal: unknown) => {
      count('throttled');
      throw refusal;
    });
  }
  const outcome = await transact(async (tx) => {
    const stored = await store.lock(tx);
    if (!isCounted && isOpen(stored.codeExpiresAt)) return undefined; // sent a moment ago, and guessed uncounted
    if (!isCode(keyring, purpose, stored.codeDigest, code)) {
      await store.countWrong?.(tx, stored);
      return undefined; // not a throw, so that the count is committed
    }
    if (!isOpen(stored.codeExpiresAt)) {
      count('expired');
      throw new DomainError('OTP_EXPIRED', 'otp: the code has expired: have another sent');
    }
    return { result: await store.accept(tx, stored) };
  });
  count(outcome === undefined ? 'wrong' : 'right');
  if (outcome === undefined) throw new DomainError('OTP_INVALID', 'otp: is not the code that was sent last');
  await throttle.succeeded();
  return outcome.result;
}
