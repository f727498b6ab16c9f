/** When the breaker of a receiver opens, and for how long. */
export interface BreakerRules {
  /** Failures in a row. */
  tripAfter: number;
  /** After the first opening; doubled with each that follows without a success in between, a probe's aside. */
  coolDownMs: number;
  coolDownMaxMs: number;
}

/**
 * More than the five attempts of one event, so that one bad event never stops the others; fewer than a receiver may have
 * in flight, so that one that hangs frees its slots after its first batch.
 */
const TRIP_AFTER = 10;
const DOUBLINGS_MAX = 5;
const COOL_DOWN_MS = 30_000;

/**
 * A circuit breaker for each receiver, shared by all processes: after ten failures in a row nothing of it is claimed until
 * the cool-down is over, and what waits loses no attempt. Then a single delivery probes: its success closes the breaker
 * and all that is due goes out, its failure opens it for twice as long, up to 32 times the first cool-down. When all that
 * goes out fails again, it opens for twice as long too: only the next success starts afresh.
 */
export const breakerRules = (coolDownMs = COOL_DOWN_MS): BreakerRules => ({
  tripAfter: TRIP_AFTER,
  coolDownMs,
  coolDownMaxMs: coolDownMs * 2 ** DOUBLINGS_MAX,
});

export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** What the row of a receiver says at `now`; without a row it is closed. */
export function breakerState(row: { openUntil: Date | null; probing: boolean } | null, now: Date): BreakerState {
  if (row === null || row.openUntil === null) return 'CLOSED';
  return row.probing || row.openUntil <= now ? 'HALF_OPEN' : 'OPEN';
}
