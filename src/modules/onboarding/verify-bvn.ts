import { DomainError } from '#lib/domain-error.ts';
import type { Throttles } from '#modules/throttles';
import { type BvnClaim, type BvnProvider, BvnProviderDown } from '../../providers/bvn/port.ts';
import { type BvnLimits, bvnThrottle } from './bvn-throttle.ts';

/**
 * Holds a person's word against the register. Never inside a transaction: the register may be slow.
 * A partner's misses are counted.
 *
 * @throws DomainError BVN_NOT_FOUND, BVN_MISMATCH, BVN_PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS
 */
export async function verifyBvn(
  deps: { bvn: BvnProvider; throttles: Throttles; limits: BvnLimits },
  partnerId: string,
  claim: BvnClaim,
): Promise<void> {
  const throttle = bvnThrottle(deps, partnerId);
  await throttle.assertOpen();
  const { firstName, lastName, dateOfBirth } = claim; // and nothing else of what is known of her
  const verdict = await deps.bvn
    .verify({ bvn: claim.bvn, firstName, lastName, dateOfBirth })
    .catch((cause: unknown) => {
      if (!(cause instanceof BvnProviderDown)) throw cause;
      throw new DomainError(
        'BVN_PROVIDER_UNAVAILABLE',
        'the BVN register did not answer: send the same request again',
        {
          retryAfterS: 5,
          cause,
        },
      );
    });
  await (verdict === 'verified' ? throttle.assertOpen() : throttle.takeUnknown());
  if (verdict === 'not-found') throw new DomainError('BVN_NOT_FOUND', 'bvn: no such BVN is registered');
  if (verdict === 'mismatch') {
    throw new DomainError('BVN_MISMATCH', 'bvn: the names or the date of birth are not those registered with it');
  }
}
