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

/** The nightly check starts at two o'clock in Lagos, which is one o'clock UTC all year. */
const NIGHT_BEGINS_MS = HOUR_MS;

const EVERY_MS = HOUR_MS;

/** Rows that committed late are checked again: a transaction takes half a minute at most, and clocks differ. */
const OVERLAP_MS = 5 * 60 * 1000;

/**
 * The check that is due at a moment: everything, new rows since a moment, or nothing. New rows are those that no check and no seal
 * has covered.
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
 * Checks everything once a night, and new rows once an hour by day. Any number of processes may call it.
 *
 * @param sealedUntil the end of the sealed period; undefined if nothing is sealed
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

/** The results of the last checks, the same in every process. */
export interface IntegrityState {
  invariants: InvariantState[];
  kinds: KindState[];
}

/** The results of the last checks, for a scrape of the metrics. */
export async function measureIntegrity(db: Database): Promise<IntegrityState> {
  const [invariants, kinds] = await Promise.all([selectStates(db), selectKinds(db)]);
  return { invariants, kinds };
}
