import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Limit } from './limit.ts';

/** Counters at most: beyond them the oldest is forgotten, so that inventing keys costs no memory. */
const COUNTERS_MAX = 100_000;

/** A limit that one process keeps for itself: it asks no store, and so costs next to nothing. */
export interface LocalThrottle {
  /** Spends of the limit. A refusal spends nothing. @throws DomainError TOO_MANY_REQUESTS when it is spent */
  take(key: string, cost?: number): void;
}

export function createLocalThrottle({ name, points, windowS }: Omit<Limit, 'delays'>, clock: Clock): LocalThrottle {
  const counters = new Map<string, { spent: number; expiresAtMs: number }>();

  return {
    take(key, cost = 1) {
      if (points === 0) return;
      const nowMs = clock.now().getTime();
      const held = counters.get(key);
      if (held === undefined || held.expiresAtMs <= nowMs) {
        counters.delete(key); // so that the map stays in the order of their beginnings
        counters.set(key, { spent: cost, expiresAtMs: nowMs + windowS * 1000 });
        const [oldest] = counters.keys();
        if (counters.size > COUNTERS_MAX && oldest !== undefined) counters.delete(oldest);
        return;
      }
      if (held.spent >= points) {
        const retryAfterS = Math.ceil((held.expiresAtMs - nowMs) / 1000);
        throw new DomainError('TOO_MANY_REQUESTS', `too many ${name}: wait ${retryAfterS} s`, { retryAfterS });
      }
      held.spent += cost;
    },
  };
}
