import type { Pool } from 'pg';
import { type BreakerRules, breakerRules } from './breaker.ts';
import { type BreakerChange, type Outcome, writeOutcomes } from './outcome-store.ts';

/**
 * Records how attempts ended and what that says of their receivers, many in one statement. An outcome that comes after its
 * lease ran out completes its own attempt, and leaves a delivery that has moved on as it is. Writing the same outcome again
 * changes nothing.
 *
 * @returns the breakers that it opened and closed
 */
export async function recordOutcomes(
  pool: Pool,
  batch: readonly Outcome[],
  { rules = breakerRules(), now }: { rules?: BreakerRules; now?: Date } = {},
): Promise<BreakerChange[]> {
  return batch.length > 0 ? writeOutcomes(pool, batch, rules, now) : [];
}
