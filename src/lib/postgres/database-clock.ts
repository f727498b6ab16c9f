import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';

/** A machine whose clock differs by more from the database's is reported. */
const REPORTED_ABOVE_MS = 5_000;
const MEASURE_MS = 5_000;
/** Of so many measurements at the start the best counts. */
const FIRST = 3;
/** By how much a clock may drift from the database's: more than any that works does. */
const DRIFT = 0.001;
/** What a measurement may be wrong by, its own round trip apart. */
const SLACK_MS = 5;
/** Smaller steps back are waited out: time stands still meanwhile. */
const STEP_BACK_MAX_MS = 1_000;

/**
 * The time of the database, without asking it each time. All processes on one database agree on it to the millisecond or so,
 * whatever the clocks of their machines say, so that what they decide together by time they decide alike.
 */
export interface DatabaseClock extends Clock {
  /** By how much the clock of this machine was ahead of the database's when that was last asked; negative: behind. */
  readonly machineAheadMs: number;
  close(): void;
}

export interface DatabaseClockOptions {
  /** Milliseconds since 1970 by the clock of the database. */
  ask: () => Promise<number>;
  log: Logger;
  /** Called after each measurement. */
  measured?: (machineAheadMs: number) => void;
  /** A monotonic clock, which setting the machine's clock does not change. */
  monotonicMs?: () => number;
  /** The clock of the machine. */
  machineMs?: () => number;
  everyMs?: number;
}

interface Measurement {
  /** The time of the database less the monotonic one. */
  offsetMs: number;
  /** It is wrong by this at most: half the way there and back. */
  errorMs: number;
  at: number;
}

/** How a database says what time it is. */
export const askClockOf = (pool: Pool) => async (): Promise<number> => {
  const { rows } = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return rows[0]?.ms ?? Number.NaN;
};

/**
 * Asks the database for its time, and again every few seconds. In between, and while the database is away, the monotonic clock of
 * this machine continues from there: setting the machine's clock changes nothing.
 */
export async function openDatabaseClock({
  ask,
  log,
  measured = () => undefined,
  monotonicMs = () => performance.now(),
  machineMs = () => Date.now(),
  everyMs = MEASURE_MS,
}: DatabaseClockOptions): Promise<DatabaseClock> {
  let machineAheadMs = 0;
  let last = Number.NEGATIVE_INFINITY;
  let isReported = false;

  async function measure(): Promise<Measurement> {
    const before = monotonicMs();
    const databaseMs = await ask();
    const after = monotonicMs();
    const offsetMs = databaseMs - (before + after) / 2;
    machineAheadMs = machineMs() - (monotonicMs() + offsetMs);
    return { offsetMs, errorMs: (after - before) / 2, at: after };
  }

  function report(): void {
    measured(machineAheadMs);
    const differs = Math.abs(machineAheadMs) > REPORTED_ABOVE_MS;
    if (differs === isReported) return;
    isReported = differs;
    const aheadS = Math.round(machineAheadMs / 100) / 10;
    if (differs)
      log.warn(
        { event: 'clock.differs', aheadS },
        'the clock of this machine differs from the database’s, which counts: set it right',
      );
    else log.info({ event: 'clock.agrees', aheadS }, 'the clock of this machine agrees with the database’s again');
  }

  let current = await measure();
  for (let number = 1; number < FIRST; number += 1) current = better(current, await measure());
  report();
  let isMeasuring = false;
  const timer = setInterval(() => {
    if (isMeasuring) return;
    isMeasuring = true;
    measure()
      .then((next) => {
        current = better(current, next);
        report();
      })
      .catch(() => undefined) // the database is away, which others report
      .finally(() => (isMeasuring = false));
  }, everyMs);
  timer.unref();

  return {
    now() {
      const ms = monotonicMs() + current.offsetMs;
      if (ms > last || ms < last - STEP_BACK_MAX_MS) last = ms;
      return new Date(last);
    },
    get machineAheadMs() {
      return machineAheadMs;
    },
    close: () => clearInterval(timer),
  };
}

/** The one that is less wrong now; the newer one when they contradict each other, for then the database's clock was set. */
function better(old: Measurement, next: Measurement): Measurement {
  const oldErrorMs = old.errorMs + (next.at - old.at) * DRIFT;
  const apartMs = Math.abs(next.offsetMs - old.offsetMs);
  return next.errorMs <= oldErrorMs || apartMs > next.errorMs + oldErrorMs + SLACK_MS ? next : old;
}
