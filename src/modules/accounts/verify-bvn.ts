import { DomainError } from '#lib/domain-error.ts';
import type { Throttles } from '#modules/limits';
import { type BvnClaim, type BvnProvider, BvnProviderDown, type BvnVerdict } from '../../providers/bvn/port.ts';

/** How many BVNs a partner may try, and how many of them may be nobody's or not that person's; 0: any number. */
export interface BvnLimits {
  bvnsPerD: number;
  unknownBvnsPerD: number;
}

type ThrottleDeps = { throttles: Throttles; limits: BvnLimits };

const DAY_S = 24 * 3600;

/** Keeps a partner from trying BVNs until one is somebody's. */
export function bvnThrottle({ throttles, limits }: ThrottleDeps, partnerId: string) {
  const tried = { name: 'BVNs', points: limits.bvnsPerD, windowS: DAY_S };
  const unknown = { name: 'unknown BVNs', points: limits.unknownBvnsPerD, windowS: DAY_S };
  return {
    /** Before a BVN is looked up, whosever it is. @throws DomainError TOO_MANY_REQUESTS */
    async begin() {
      await throttles.assertOpen(unknown, partnerId);
      await throttles.take(tried, partnerId);
    },
    /**
     * Before a known one is answered: of many at once, the known ones could otherwise be told from the others by not
     * being refused.
     *
     * @throws DomainError TOO_MANY_REQUESTS
     */
    assertOpen: () => throttles.assertOpenInTurn(unknown, partnerId),
    /** It was nobody's, or not that person's. @throws DomainError TOO_MANY_REQUESTS */
    takeUnknown: () => throttles.take(unknown, partnerId),
  };
}

/** What the register confirms of a person beside first and last name: where a code for them may go, and the other name. */
export interface Confirmed {
  /** E.164: the phone they gave, or else one of the register's. */
  phone: string | undefined;
  /** The address they gave, where the register holds it. */
  email: string | undefined;
  isOtherNameConfirmed: boolean;
}

/**
 * Compares what a person says with the register: names, date of birth and phone. Never inside a transaction: the register
 * may be slow. What a partner tries is counted, its misses besides, and the answer does not tell what did not match.
 *
 * @throws DomainError BVN_NOT_FOUND, BVN_MISMATCH, BVN_PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS
 */
export async function verifyBvn(
  deps: ThrottleDeps & { bvn: BvnProvider },
  partnerId: string,
  claim: BvnClaim,
): Promise<Confirmed> {
  const throttle = bvnThrottle(deps, partnerId);
  await throttle.begin();
  const { bvn, firstName, lastName, otherName, dateOfBirth, phone, email } = claim; // and nothing else of what is known of the person
  const asked = { bvn, firstName, lastName, otherName, dateOfBirth, phone, email };
  const verdict = await askRegister(deps.bvn, asked);
  await (verdict.outcome === 'verified' ? throttle.assertOpen() : throttle.takeUnknown());
  if (verdict.outcome === 'not-found') throw new DomainError('BVN_NOT_FOUND', 'bvn: no such BVN is registered');
  if (verdict.outcome === 'mismatch') {
    throw new DomainError(
      'BVN_MISMATCH',
      'bvn: the names, the date of birth or the phone are not those registered with it',
    );
  }
  return confirmedBy(verdict, claim);
}

/** What a verdict confirms of a claim. */
export const confirmedBy = (
  { phone, holdsEmail, holdsOtherName }: Extract<BvnVerdict, { outcome: 'verified' }>,
  { email }: BvnClaim,
): Confirmed => ({ phone, email: holdsEmail ? email : undefined, isOtherNameConfirmed: holdsOtherName });

/** Asks the register, once. @throws DomainError BVN_PROVIDER_UNAVAILABLE */
export const askRegister = (bvn: BvnProvider, claim: BvnClaim): Promise<BvnVerdict> =>
  bvn.verify(claim).catch((cause: unknown) => {
    if (!(cause instanceof BvnProviderDown)) throw cause;
    const message = 'the BVN register did not answer: send the same request again';
    throw new DomainError('BVN_PROVIDER_UNAVAILABLE', message, { retryAfterS: 5, cause });
  });
