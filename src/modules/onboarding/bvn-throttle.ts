import type { Resources } from '../../resources.ts';

type Deps = Pick<Resources, 'throttles' | 'config'>;

const DAY_S = 24 * 3600;

/** Keeps a partner from trying BVNs until one is somebody's. */
export function bvnThrottle({ throttles, config }: Deps, partnerId: string) {
  const limit = { name: 'unknown BVNs', points: config.RATE_LIMIT_UNKNOWN_BVNS_PER_D, windowS: DAY_S };
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
