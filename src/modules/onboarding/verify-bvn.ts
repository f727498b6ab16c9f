import { DomainError } from '#lib/domain-error.ts';
import type { Throttles } from '#modules/throttles';
import { type BvnClaim, type BvnProvider, BvnProviderDown } from '../../providers/bvn/port.ts';

/** How many unknown BVNs a partner may try; 0: any number. */
export interface BvnLimits {
  unknownBvnsPerD: number;
}

type ThrottleDeps = { throttles: Throttles; limits: BvnLimits };

const DAY_S = 24 * 3600;

/** Keeps a partner from trying BVNs until one is somebody's. */
export function bvnThrottle({ throttles, limits }: ThrottleDeps, partnerId: string) {
  const limit = { name: 'unknown BVNs', points: limits.unknownBvnsPerD, windowS: DAY_S };
  return {
    /**
     * Before a BVN is looked up, and again before a known one is answered: of many at once, the known ones could
     * otherwise be told from the others by not being refused.
     *
     * @throws DomainError TOO_MANY_REQUESTS
     */
    assertOpen: () => throttles.assertOpen(limit, partnerId),
    /** It was nobody's, or not that person's. @throws DomainError TOO_MANY_REQUESTS */
    takeUnknown: () => throttles.take(limit, partnerId),
  };
}

/**
 * Compares what a person says with the register. Never inside a transaction: the register may be slow.
 * A partner's misses are counted.
 *
 * @throws DomainError BVN_NOT_FOUND, BVN_MISMATCH, BVN_PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS
 */
export async function verifyBvn(
  deps: ThrottleDeps & { bvn: BvnProvider },
  partnerId: string,
  claim: BvnClaim,
): Promise<void> {
  const throttle = bvnThrottle(deps, partnerId);
  await throttle.assertOpen();
  const { bvn, firstName, lastName, dateOfBirth } = claim; // and nothing else of what is known of the person
  const verdict = await deps.bvn.verify({ bvn, firstName, lastName, dateOfBirth }).catch((cause: unknown) => {
    if (!(cause instanceof BvnProviderDown)) throw cause;
    const message = 'the BVN register did not answer: send the same request again';
    throw new DomainError('BVN_PROVIDER_UNAVAILABLE', message, { retryAfterS: 5, cause });
  });
  await (verdict === 'verified' ? throttle.assertOpen() : throttle.takeUnknown());
  if (verdict === 'not-found') throw new DomainError('BVN_NOT_FOUND', 'bvn: no such BVN is registered');
  if (verdict === 'mismatch') {
    throw new DomainError('BVN_MISMATCH', 'bvn: the names or the date of birth are not those registered with it');
  }
}
