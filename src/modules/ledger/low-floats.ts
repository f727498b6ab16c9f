import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { businessDay } from './business-day.ts';
import { type LowFloat, selectLowFloats } from './hour-store.ts';

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The floats in naira that are low: they hold less than left them on an average day of the last seven that are over, so that
 * they may not last until tomorrow. The lowest by that measure first.
 *
 * @param limit of floats, at most
 */
export async function lowFloats(db: Executor, { clock, limit }: { clock: Clock; limit: number }): Promise<LowFloat[]> {
  const now = clock.now();
  const to = businessDay(now);
  const from = businessDay(new Date(now.getTime() - DAYS * DAY_MS));
  return selectLowFloats(db, { from, to, days: DAYS, limit });
}
