import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Checker } from './checker.ts';
import {
  type InvariantState,
  type KindState,
  type RunRow,
  selectKinds,
  selectLastRuns,
  selectStates,
} from './integrity-store.ts';

const HOUR_MS = 60 * 60 * 1000;

/** The night's check begins at two o'clock in Lagos, which is one o'clock UTC all year. */
const NIGHT_BEGINS_MS = HOUR_MS;

const EVERY_MS = HOUR_MS;

/** What committed late is looked at again: a transaction takes half a minute at most, and clocks differ. */
const OVERLAP_MS = 5 * 60 * 1000;

/**
 * What is to be checked at a moment: everything, what is new since then, or nothing. What is new is what neither a check nor
 * a seal has seen yet.
 */
export function dueCheck(
  now: Date,
  { last, lastWhole }: { last: RunRow | undefined; lastWhole: RunRow | undefined },
  sealedUntil?: Date,
): { since: Date | undefined } | undefined {
  if (last === undefined || lastWhole === undefined || nightOf(now) > nightOf(lastWhole.startedAt)) {
    return { since: undefined };
  }
  if (now.getTime() - last.startedAt.getTime() < EVERY_MS) return undefined;
  const unchecked = last.startedAt.getTime() - OVERLAP_MS;
  return { since: new Date(Math.min(unchecked, sealedUntil?.getTime() ?? unchecked)) };
}

const nightOf = (at: Date): string => new Date(at.getTime() - NIGHT_BEGINS_MS).toISOString().slice(0, 10);

/**
 * Checks everything once a night, and by day what is new once an hour. Any number of processes may call it.
 *
 * @param sealedUntil the end of what is sealed; undefined where nothing is
 */
export async function runDueCheck(
  { checker, db, clock }: { checker: Checker; db: Database; clock: Clock },
  sealedUntil?: Date,
): Promise<void> {
  const due = dueCheck(clock.now(), await selectLastRuns(db), sealedUntil);
  if (due === undefined) return;
  try {
    await checker.check(due.since);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'CHECK_RUNNING')) throw error;
  }
}

/** How the last checks went, as every process sees it. */
export interface IntegrityState {
  invariants: InvariantState[];
  kinds: KindState[];
}

/** What the checks that ran have found: what a scrape of the metrics shows. */
export async function measureIntegrity(db: Database): Promise<IntegrityState> {
  const [invariants, kinds] = await Promise.all([selectStates(db), selectKinds(db)]);
  return { invariants, kinds };
}
