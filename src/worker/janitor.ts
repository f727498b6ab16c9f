import { deleteRequestsExpiredBefore } from '#modules/idempotency';
import { deleteCreationsExpiredBefore } from '#modules/onboarding';
import { deleteSessionsExpiredBefore } from '#modules/sessions';
import type { Resources } from '../resources.ts';

const ROUND_MS = 10 * 60 * 1000;
/** Codes, sessions and creations stay this long after their end, so that a late replay is still known for one. */
const KEPT_MS = 24 * 60 * 60 * 1000;

type Deps = Pick<Resources, 'db' | 'clock' | 'log'>;

/** Deletes what is over: answers under idempotency keys, codes, sessions, and creations with the personal data in them. */
export async function tidy({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  const aDayAgo = new Date(now.getTime() - KEPT_MS);
  await deleteRequestsExpiredBefore(db, now);
  await deleteCreationsExpiredBefore(db, aDayAgo);
  await deleteSessionsExpiredBefore(db, aDayAgo);
}

/** Tidies now and then until closed; a round under way is waited for. */
export function startJanitor(deps: Deps): { close(): Promise<void> } {
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = tidy(deps).catch((err: unknown) => deps.log.warn({ err }, 'tidying failed; the next round tries again'));
  }, ROUND_MS);
  return {
    close() {
      clearInterval(timer);
      return round;
    },
  };
}
