import type { Throttles } from '#modules/throttles';

/** How many unknown BVNs a partner may try; 0: any number. */
export interface BvnLimits {
  unknownBvnsPerD: number;
}

type Deps = { throttles: Throttles; limits: BvnLimits };

const DAY_S = 24 * 3600;

/** Keeps a partner from trying BVNs until one is somebody's. */
export function bvnThrottle({ throttles, limits }: Deps, partnerId: string) {
  const limit = { name: 'unknown BVNs', points: limits.unknownBvnsPerD, windowS: DAY_S };
  return {
    /**
     * Before a BVN is looked up, and again before a known one is told: of many at once, those that are known would be
     * told from the others by not being refused.
     *
     * @throws DomainError TOO_MANY_REQUESTS
     */
    assertOpen: () => throttles.assertOpen(limit, partnerId),
    /** It was nobody's, or not that person's. @throws DomainError TOO_MANY_REQUESTS */
    takeUnknown: () => throttles.take(limit, partnerId),
  };
}
