import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { concerning } from '#lib/security-events.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { approvalPageShare, dummyPasswordHash, findCustomer, isFrozen, verifyPassword } from '#modules/customers';
import type { Count, Throttles } from '#modules/limits';
import { type CodeLimits, checkCode } from '#modules/limits';
import { approvalPageThrottle } from '#modules/sessions';
import { parseHandle } from '#modules/tags';
import { type Challenge, ownerCodeThrottle } from './challenge.ts';
import { lockIfAny, openUntil, updateOwnerCode } from './owner-proof-store.ts';

type Deps = {
  metrics: Meter;
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  throttles: Throttles;
  limits: CodeLimits & ProofLimits;
};

/** What somebody gives to prove that they own a tag. */
export type Proof = ({ by: 'PASSWORD'; paytag: string; password: string } | { by: 'OTP'; code: string }) & {
  /** The IP address that it comes from. */
  address: string;
};

/** How many wrong proofs may come from one address, for whatever tags; 0: any number. */
export interface ProofLimits {
  wrongProofsPerH: number;
}

/** The refusals of a proof that was looked at and does not hold. */
const WRONG_PROOF = new Set(['INVALID_CUSTOMER_CREDENTIALS', 'OTP_INVALID', 'OTP_EXPIRED']);

/**
 * Proves that whoever gave this owns the tag. A code is used up by it. A wrong PayTag and a wrong password are refused
 * alike, after the same work.
 *
 * @param takeAttempt counts an attempt on the purpose, before the proof is looked at, and throws when there is none left
 * @returns what the proof was
 * @throws DomainError INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function proveOwner(
  deps: Deps,
  challenge: Challenge,
  proof: Proof,
  takeAttempt: () => Promise<void>,
): Promise<Proof['by']> {
  if (challenge.owner.isCustomer) concerning({ customerId: challenge.owner.externalId });
  const fromAddress: Count = [
    {
      name: 'wrong answers',
      event: 'login_throttled',
      points: deps.limits.wrongProofsPerH,
      windowS: 3600,
      delays: { firstS: 1, maxS: 60 },
    },
    addressBlock(proof.address),
  ];
  await deps.throttles.take(...fromAddress); // before the proof is looked at; what is no wrong one is taken back
  try {
    if (proof.by === 'PASSWORD') await provePassword(deps, challenge, proof, takeAttempt);
    else await proveCode(deps, challenge, proof.code, takeAttempt);
  } catch (error) {
    const isWrong = error instanceof DomainError && WRONG_PROOF.has(error.code);
    if (!isWrong) await deps.throttles.giveBack(...fromAddress);
    throw error;
  }
  await deps.throttles.giveBack(...fromAddress);
  return proof.by;
}

/** Counted under the tag that has to be proved, whichever was given: an attempt tells nothing about any other tag. */
async function provePassword(
  deps: Deps,
  { tag, owner, requesterId }: Challenge,
  { paytag, password }: { paytag: string; password: string },
  takeAttempt: () => Promise<void>,
): Promise<void> {
  const throttle = approvalPageThrottle(deps, tag);
  await throttle.assertOpen();
  const customer = owner.isCustomer ? await findCustomer(deps.db, deps.keyring, owner.externalId) : undefined;
  const isOwners = parseHandle(paytag) === tag && customer?.isFrozen !== true;
  const dummyHash = await dummyPasswordHash();
  const passwordHash = isOwners ? (customer?.passwordHash ?? dummyHash) : dummyHash;
  const guesses = {
    begin: async () => {
      await takeAttempt();
      await throttle.begin();
    },
    succeeded: () => throttle.succeeded(),
  };
  const isProven = await verifyPassword(passwordHash, password, { share: approvalPageShare(requesterId), guesses });
  if (!isProven) throw new DomainError('INVALID_CUSTOMER_CREDENTIALS', 'the PayTag or the password is wrong');
}

async function proveCode(
  deps: Deps,
  challenge: Challenge,
  code: string,
  takeAttempt: () => Promise<void>,
): Promise<void> {
  const { purpose, owner } = challenge;
  await takeAttempt();
  await checkCode(deps, {
    purpose,
    code,
    throttle: ownerCodeThrottle(deps, challenge),
    openUntil: await openUntil(deps.db, purpose),
    async lock(tx) {
      const isVoid = owner.isCustomer && (await isFrozen(tx, deps.keyring, owner.externalId));
      return (isVoid ? undefined : await lockIfAny(tx, purpose)) ?? { codeDigest: null, codeExpiresAt: null };
    },
    accept: (tx) => updateOwnerCode(tx, purpose, { codeDigest: null, codeExpiresAt: null }),
  });
}
