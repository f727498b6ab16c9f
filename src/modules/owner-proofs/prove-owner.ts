import type { Clock } from '#lib/clock.ts';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { dummyPasswordHash, findCustomer, verifyPassword } from '#modules/customers';
import { codeThrottle } from '#modules/onboarding';
import { loginThrottle } from '#modules/sessions';
import { parseHandle } from '#modules/tags';
import type { Throttles } from '#modules/throttles';
import { type Challenge, codeDigestOf, personOf } from './challenge.ts';
import { lockIfAny, updateOwnerCode } from './store.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; throttles: Throttles };

/** What somebody gives to prove that she owns a tag. */
export type Proof = { by: 'PASSWORD'; paytag: string; password: string } | { by: 'OTP'; code: string };

/** In the place of a partner, where logins are counted. */
const IN_PERSON = 'in person';

/**
 * Proves that whoever gave this owns the tag. A code is used up by it. A wrong PayTag and a wrong password are refused
 * alike, after the same work.
 *
 * @param takeAttempt counts an attempt on the purpose, before the proof is looked at, and throws when there is none left
 * @returns what she proved herself by
 * @throws DomainError INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function proveOwner(
  deps: Deps,
  challenge: Challenge,
  proof: Proof,
  takeAttempt: () => Promise<void>,
): Promise<Proof['by']> {
  if (proof.by === 'PASSWORD') await provePassword(deps, challenge, proof, takeAttempt);
  else await proveCode(deps, challenge, proof.code, takeAttempt);
  return proof.by;
}

/** Counted under the tag that has to be proved, whichever was given: of no other is anything learnt. */
async function provePassword(
  deps: Deps,
  { tag, owner }: Challenge,
  { paytag, password }: { paytag: string; password: string },
  takeAttempt: () => Promise<void>,
): Promise<void> {
  const throttle = loginThrottle(deps, { partnerId: IN_PERSON, paytag: tag, isKnown: true, isAcquainted: false });
  await throttle.assertOpen();
  const customer = owner.isCustomer ? await findCustomer(deps.db, deps.keyring, owner.externalId) : undefined;
  const isHers = parseHandle(paytag) === tag;
  const nobodys = await dummyPasswordHash();
  const passwordHash = isHers ? (customer?.passwordHash ?? nobodys) : nobodys;
  const isProven = await verifyPassword(passwordHash, password, {
    begin: async () => {
      await takeAttempt();
      await throttle.begin();
    },
    succeeded: () => throttle.succeeded(),
  });
  if (!isProven) throw new DomainError('INVALID_CUSTOMER_CREDENTIALS', 'the PayTag or the password is wrong');
}

async function proveCode(
  { transact, keyring, clock, throttles }: Deps,
  challenge: Challenge,
  code: string,
  takeAttempt: () => Promise<void>,
): Promise<void> {
  const { purpose } = challenge;
  const throttle = codeThrottle({ throttles }, { askedBy: challenge.askedBy, person: personOf(challenge) });
  await takeAttempt();
  await throttle.takeGuess();
  await transact(async (tx) => {
    const row = await lockIfAny(tx, purpose);
    const expected = row?.codeDigest ?? undefined;
    if (expected === undefined || !equalDigests(expected, codeDigestOf(keyring, challenge, code))) {
      throw new DomainError('OTP_INVALID', 'otp: is not the code that was sent last');
    }
    const isOver = row?.codeExpiresAt == null || row.codeExpiresAt <= clock.now();
    if (isOver) throw new DomainError('OTP_EXPIRED', 'otp: the code is over: have another sent');
    await updateOwnerCode(tx, purpose, { codeDigest: null });
  });
  await throttle.succeeded();
}
