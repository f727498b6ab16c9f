import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Meter } from '#lib/meter.ts';
import { type RetentionDeps, retention } from '../rooms.ts';
import { runSteps, type Step } from './steps.ts';

type Deps = RetentionDeps & { clock: Clock; log: Logger; metrics: Meter };

/**
 * Forgets what may not be kept any more, as `rooms.ts` says of each table. One step that fails stops no other. Any number of processes may do so at once, and be ended at any moment.
 *
 * @param closing aborted when nothing more is to be begun
 * @throws Error when a step has failed, after the others are done
 */
export async function cleanUp(deps: Deps, closing?: AbortSignal): Promise<void> {
  await runSteps(deps, forgetting(deps), { closing, isPaced: true });
}

/** What is forgotten of each table. */
function forgetting(deps: Deps): Step[] {
  return retention.flatMap(({ table, forget = {} }) =>
    Object.entries(forget).map(([what, some]) => ({
      name: what === 'rows' ? `forgetting ${table}` : `forgetting ${table}: ${what}`,
      async batch() {
        const { rows, isAll } = await some(deps, deps.clock.now());
        if (rows > 0) deps.metrics.add('paytag_forgotten_rows_total', { table }, rows);
        return isAll;
      },
    })),
  );
}
