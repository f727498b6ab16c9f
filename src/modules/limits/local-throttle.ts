import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import type { Limit } from './limit.ts';

/** Beyond so many counters the oldest is dropped, so that made-up keys cannot fill the memory. */
const COUNTERS_MAX = 100_000;

/** A limit within one process: it asks no store, and so costs next to nothing. */
export interface LocalThrottle {
  /** Counts `cost` against the limit. A refusal counts nothing. @throws DomainError TOO_MANY_REQUESTS when it is used up */
  take(key: string, cost?: number): void;
}

/** A limit that this process alone keeps. */
export function createLocalThrottle(
  { name, points, windowS }: Omit<Limit, 'delays'>,
  clock: Clock,
  metrics: Meter = noMeter,
): LocalThrottle {
  const counters = new Map<string, { spent: number; expiresAtMs: number }>();

  return {
    take(key, cost = 1) {
      if (points === 0) return;
      const nowMs = clock.now().getTime();
      const held = counters.get(key);
      if (held === undefined || held.expiresAtMs <= nowMs) {
        counters.delete(key); // so that the map stays in the order in which the counters began
        counters.set(key, { spent: cost, expiresAtMs: nowMs + windowS * 1000 });
        const [oldest] = counters.keys();
        if (counters.size > COUNTERS_MAX && oldest !== undefined) counters.delete(oldest);
        return;
      }
      if (held.spent >= points) {
        const retryAfterS = Math.ceil((held.expiresAtMs - nowMs) / 1000);
        metrics.add('paytag_throttled_total', { limit: name });
        throw new DomainError('TOO_MANY_REQUESTS', `too many ${name}: wait ${retryAfterS} s`, { retryAfterS });
      }
      held.spent += cost;
    },
  };
}
