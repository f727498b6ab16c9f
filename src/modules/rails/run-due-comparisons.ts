import type { Logger } from 'pino';
import type { DepsOf } from '#lib/deps-of.ts';
import { businessDay } from '#modules/ledger';
import { compareDay } from './compare-day.ts';
import { selectLatest } from './store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Compares yesterday in Africa/Lagos with each provider, once it is over for an hour and was not compared since it ended. */
export async function runDueComparisons(deps: DepsOf<typeof compareDay> & { log: Logger }): Promise<void> {
  const { db, clock, rails, log } = deps;
  const now = clock.now();
  const day = businessDay(new Date(now.getTime() - DAY_MS - HOUR_MS));
  for (const { name: provider } of rails) {
    const done = await selectLatest(db, { provider, day });
    if (done !== undefined && businessDay(done.comparedAt) > day) continue;
    const { differences } = await compareDay(deps, { provider, day, actor: 'nightly' });
    if (differences.length > 0)
      log.error({ provider, day, differences: differences.length }, 'a provider’s day differs from ours');
  }
}
