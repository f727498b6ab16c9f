import type { Logger } from 'pino';
import type { DepsOf } from '#lib/deps-of.ts';
import { businessDay } from '#modules/ledger';
import { compareDay } from './compare-day.ts';
import { selectUncompared } from './rail-store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** So far back a missed day is still compared: what is older is asked for by hand. */
const DAYS_MAX = 31;

type Deps = DepsOf<typeof compareDay> & { log: Logger };

/**
 * Compares with each provider what was not compared since it ended: yesterday in Africa/Lagos, once it is over for an hour, and
 * the days that were missed before it, the oldest first. A provider that gives no usable answer keeps no other one waiting.
 *
 * @param closing a day that is under way when it is aborted is given up, and compared by the next run
 */
export async function runDueComparisons(deps: Deps, closing?: AbortSignal): Promise<void> {
  const { db, clock, rails, log } = deps;
  const last = businessDay(new Date(clock.now().getTime() - DAY_MS - HOUR_MS));
  for (const { name: provider } of rails) {
    try {
      for (const day of await selectUncompared(db, { provider, day: last, max: DAYS_MAX })) {
        if (closing?.aborted === true) return;
        await compareOne(deps, { provider, day, closing });
      }
    } catch (err) {
      if (closing?.aborted === true) return;
      log.error({ err, provider }, 'a provider’s days could not be compared with ours; the next run tries again');
    }
  }
}

async function compareOne(
  deps: Deps,
  { closing, ...of }: { provider: string; day: string; closing: AbortSignal | undefined },
): Promise<void> {
  const { differences } = await compareDay(deps, { ...of, actor: 'nightly', closing });
  if (differences.length === 0) return;
  deps.log.error({ ...of, differences: differences.length }, 'a provider’s day differs from ours');
}
