import type { Pool } from 'pg';
import { type Outcome, writeOutcomes } from './claim-store.ts';

/**
 * Records how attempts ended, many in one statement. An outcome that comes after its lease ran out completes its own
 * attempt, and leaves a delivery that has moved on as it is. Writing the same outcome again changes nothing.
 */
export async function recordOutcomes(pool: Pool, batch: readonly Outcome[]): Promise<void> {
  if (batch.length > 0) await writeOutcomes(pool, batch);
}
