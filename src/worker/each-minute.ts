import type { Clock } from '#lib/clock.ts';
import { expireClaims } from '#modules/claims';
import { expireSplits } from '#modules/terminals';
import { autoPause } from '#modules/webhooks';
import { once, runSteps } from './steps.ts';

type Deps = Parameters<typeof expireClaims>[0] &
  Parameters<typeof autoPause>[0] &
  Parameters<typeof runSteps>[0] & { clock: Clock };

/**
 * Pauses receivers that have failed for long, and marks splits and claims as expired: apart from the clean-up, whose runs take hours
 * when much is to be forgotten. Each by itself: one that fails stops no other. Any number of processes may do so at once, and be ended at any moment.
 *
 * @param closing aborted when nothing more is to be begun
 * @throws Error when a step has failed, after the others are done
 */
export async function maintainEachMinute(deps: Deps, closing?: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const steps = [
    once('pausing receivers', () => autoPause(deps)),
    once('expiring splits', () => expireSplits(db, clock.now(), closing)),
    once('expiring claims', () => expireClaims(deps, closing)),
  ];
  await runSteps(deps, steps, { closing });
}
