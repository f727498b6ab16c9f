import type { Database } from '#lib/postgres/executor.ts';
import { addUpStep, selectLagS } from './books-store.ts';

/** What is younger is not added up yet, so that a clock that is set back a little changes nothing. */
const GRACE_S = 5 * 60;
/** So often at most, since every time writes a row for each partner that something moved for. */
const EVERY_S = 60;
/** In one run no step is begun after this; what is left waits for the next. */
const RUN_MS = 10_000;

/** Of what moved in so long the first step adds up: at seven million movements an hour it takes four seconds. */
const FIRST_STEP_S = 5 * 60;
const STEP_MIN_S = 1;
const STEP_MAX_S = 24 * 60 * 60;
/** After a step that took less the next is twice as long, and after one that took more half as long. */
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;
/** By so much shorter is a step that took longer than a statement may, which then is tried again. */
const CANCELLED_FACTOR = 8;
/** SQLSTATE of a statement that was cancelled, here by its timeout. */
const CANCELLED = '57014';

/**
 * Adds up what moved, by day, for what asks about days: in steps, each a transaction of its own and as long as what moves in it
 * allows. Any number of processes may do so at once: one does, the others return.
 *
 * @param graceS what is younger is left
 * @param everyS nothing is done where less than this would be added
 */
export async function addUpDays(
  { db }: { db: Database },
  { graceS = GRACE_S, everyS = EVERY_S }: { graceS?: number; everyS?: number } = {},
): Promise<void> {
  if ((await selectLagS(db)) < graceS + everyS) return;
  const runBegun = performance.now();
  let stepS = FIRST_STEP_S;
  for (;;) {
    const begun = performance.now();
    try {
      if (!(await db.transaction((tx) => addUpStep(tx, { graceS, stepS })))) return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== CANCELLED || stepS === STEP_MIN_S) throw error;
      stepS = Math.max(STEP_MIN_S, stepS / CANCELLED_FACTOR);
      continue; // until one is done: the next run begins as long as this one did
    }
    if (performance.now() - runBegun > RUN_MS) return;
    stepS = nextStepS(stepS, performance.now() - begun);
  }
}

function nextStepS(stepS: number, tookMs: number): number {
  if (tookMs < QUICK_MS) return Math.min(STEP_MAX_S, stepS * 2);
  return tookMs > SLOW_MS ? Math.max(STEP_MIN_S, stepS / 2) : stepS;
}
