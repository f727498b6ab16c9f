import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { openSnapshots, type SnapshotReader, type Snapshots, TimeLimitExceeded } from '#lib/postgres/long-work.ts';
import {
  everything,
  type Invariant,
  newSince,
  type OffendingRow,
  type Scope,
  type Slice,
  type SqlInvariant,
  within,
} from '#lib/room.ts';
import { insertRun, type RunRow, selectCheckedAt, selectLastRuns, selectStates } from './integrity-store.ts';
import type { Remembered } from './tables.ts';

/** Rows shown for each broken invariant. */
const SHOWN_MAX = 20;

/** The result of a check for one invariant. */
export interface IntegrityCheck {
  name: string;
  promise: string;
  /** How many rows break it. */
  violations: number;
  /** The first of them. */
  rows: readonly OffendingRow[];
  durationMs: number;
  /** The check exceeded its time limit: the outcome is unknown. */
  timedOut?: true;
  /** The check failed, e.g. on a stored value that cannot be read: the outcome is unknown. */
  error?: string;
  /** See `StoredResult`. */
  found?: Readonly<Record<string, string>>;
  remembered?: Remembered;
}

/** Checks an invariant in its own snapshot, within `limitMs`. Throws only for a broken connection. */
export async function checkInvariant(
  snapshots: Pick<Snapshots, 'read'>,
  invariant: Invariant,
  scope: Scope,
  limitMs: number,
): Promise<IntegrityCheck> {
  const { name, promise } = invariant;
  const begun = performance.now();
  const result = (found: Pick<IntegrityCheck, 'violations' | 'rows' | 'timedOut' | 'error'>): IntegrityCheck => ({
    name,
    promise,
    durationMs: Math.round(performance.now() - begun),
    ...found,
  });
  try {
    return result(await snapshots.read(limitMs, (reader) => offendersOf(reader, invariant, scope)));
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return result({ violations: 0, rows: [], timedOut: true });
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string' || isOfTheConnection(code)) throw error;
    return result({ violations: 0, rows: [], error: `${code}: ${error instanceof Error ? error.message : ''}` });
  }
}

/** SQLSTATE classes of a lost connection or a server that shuts down; after any other error the next invariants are still checked. */
const isOfTheConnection = (code: string): boolean => !/^[0-9A-Z]{5}$/.test(code) || /^(08|57)/.test(code);

async function offendersOf(
  reader: SnapshotReader,
  invariant: Invariant,
  scope: Scope,
): Promise<Pick<IntegrityCheck, 'violations' | 'rows'>> {
  if ('find' in invariant) return firstOf(invariant.find(reader, scope));
  const found = await reader.rows<OffendingRow & { violations: string }>(
    `select count(*) over () as violations, x.* from (${invariant.offenders(scope)}) x limit ${SHOWN_MAX}`,
  );
  const rows = found.map(({ violations: _violations, ...row }) => row);
  return { violations: Number(found[0]?.violations ?? 0), rows };
}

async function firstOf(found: AsyncIterable<OffendingRow>): Promise<Pick<IntegrityCheck, 'violations' | 'rows'>> {
  const rows: OffendingRow[] = [];
  let violations = 0;
  for await (const row of found) {
    violations += 1;
    if (rows.length < SHOWN_MAX) rows.push(row);
  }
  return { violations, rows };
}

/** A slice that ended this long ago gets no new rows. */
const OVER_MS = 24 * 60 * 60 * 1000;

/** When earlier checks found each slice right, by the end of the slice. */
type Found = Readonly<Record<string, string>>;

/**
 * Checks an invariant slice by slice, each in its own snapshot, within `limitMs` in all. Slices without a result come first, newest
 * first, then the others, oldest result first. So a check of any size continues where the previous one stopped, and rechecks
 * everything over several runs. A slice that it does not reach keeps its earlier result; without one, or if no slice could be
 * rechecked, the invariant counts as timed out.
 */
async function checkBySlice(
  snapshots: Pick<Snapshots, 'read'>,
  invariant: SqlInvariant & { slices: string },
  { found, now, limitMs }: { found: Found; now: Date; limitMs: number },
): Promise<IntegrityCheck> {
  const begun = performance.now();
  const leftMs = () => limitMs - (performance.now() - begun);
  const slices = await slicesOf(snapshots, invariant.slices, limitMs);
  if (slices.length === 0) return checkInvariant(snapshots, invariant, everything, limitMs);

  const { name, promise } = invariant;
  const right: Record<string, string> = {};
  const total: IntegrityCheck = { name, promise, violations: 0, rows: [], durationMs: 0 };
  const remembered: string[] = [];
  let hasRechecked = false;
  for (const slice of inCheckOrder(slices, found)) {
    const key = slice.to?.toISOString() ?? '';
    const before = found[key];
    const check = leftMs() > 0 ? await checkInvariant(snapshots, invariant, within(slice), leftMs()) : undefined;
    if (check === undefined || check.timedOut) {
      if (before === undefined || (check !== undefined && !hasRechecked)) total.timedOut = true;
      if (before !== undefined) {
        remembered.push(before);
        right[key] = before;
      }
      continue;
    }
    hasRechecked ||= before !== undefined;
    if (check.error !== undefined) total.error ??= check.error;
    total.violations += check.violations;
    total.rows = [...total.rows, ...check.rows].slice(0, SHOWN_MAX);
    const isOver = slice.to !== undefined && now.getTime() - slice.to.getTime() > OVER_MS;
    if (isOver && check.violations === 0 && check.error === undefined) right[key] = now.toISOString();
  }
  const since = remembered.toSorted()[0];
  return {
    ...total,
    durationMs: Math.round(performance.now() - begun),
    found: right,
    ...(since !== undefined && { remembered: { slices: remembered.length, since } }),
  };
}

async function slicesOf(snapshots: Pick<Snapshots, 'read'>, query: string, limitMs: number): Promise<Slice[]> {
  const rows = await snapshots.read(limitMs, (reader) =>
    reader.rows<{ starts: string | null; ends: string | null }>(query),
  );
  const moment = (text: string | null) => (text === null ? undefined : new Date(text));
  return rows.map(({ starts, ends }) => ({ from: moment(starts), to: moment(ends) }));
}

function inCheckOrder(slices: readonly Slice[], found: Found): Slice[] {
  const foundAt = ({ to }: Slice): string => found[to?.toISOString() ?? ''] ?? '';
  const endOf = ({ to }: Slice): number => to?.getTime() ?? Number.POSITIVE_INFINITY;
  return slices.toSorted((a, b) => foundAt(a).localeCompare(foundAt(b)) || (endOf(a) < endOf(b) ? 1 : -1));
}

/** For one invariant, with all its slices. A longer snapshot would hold up vacuum; the invariant counts as unfinished instead. */
const LIMIT_MS = 20 * 60 * 1000;
/** An advisory lock: one check at a time on a database. */
const LOCK = 'integrity.check';
const RETRY_AFTER_S = 30;

/** The result of a check. */
export interface IntegrityReport {
  /** True when the check of every invariant finished and none is broken. */
  ok: boolean;
  checks: IntegrityCheck[];
}

/** The stored results of earlier checks. */
export interface LastReport extends IntegrityReport {
  /** When the last whole check ended; absent before the first. */
  checkedAt?: Date;
}

/** Checks the invariants on the live database, without stopping anything; one check at a time. */
export interface Checker {
  /**
   * Checks all rows, or those that are new since a moment. Callers of the same check share one run and its report. The report is
   * stored, and broken invariants are logged. An invariant in slices is checked for as many slices as time allows; the others keep
   * their earlier result.
   *
   * @throws DomainError CHECK_RUNNING while another check runs, here or in another process
   */
  check(since?: Date, options?: CheckOptions): Promise<IntegrityReport>;
  /**
   * The results of the last whole check and those since, broken invariants first; not `ok`, and without `checkedAt`, before the first
   * whole check has ended. Runs no check.
   */
  last(): Promise<LastReport>;
  /** Aborts the running check without a report, and starts no other. */
  close(): Promise<void>;
}

interface CheckOptions {
  /** Without a time limit, over all slices. */
  isUnbounded?: boolean;
}

export interface CheckerDeps {
  databaseUrl: string;
  db: Database;
  clock: Clock;
  log: Logger;
  /** Loaded at the first check or report. */
  invariants: () => Promise<readonly Invariant[]>;
  /** The time limit for one invariant. */
  limitMs?: number;
}

export function createChecker(deps: CheckerDeps): Checker {
  let running: { what: string; report: Promise<IntegrityReport> } | undefined;
  let snapshots: Snapshots | undefined;
  let closed = false;

  async function run(since: Date | undefined, isUnbounded: boolean): Promise<IntegrityReport> {
    const opened = await openSnapshots(deps.databaseUrl);
    snapshots = opened;
    try {
      if (closed) throw closing();
      if (!(await opened.lock(LOCK))) throw checkRunning();
      return await checkAll(isUnbounded ? { ...deps, limitMs: Number.POSITIVE_INFINITY } : deps, opened, since);
    } finally {
      snapshots = undefined;
      await opened.close();
    }
  }

  return {
    async check(since, { isUnbounded = false } = {}) {
      const what = `${since?.toISOString() ?? 'everything'}${isUnbounded ? ', however long it takes' : ''}`;
      if (running !== undefined && running.what !== what) throw checkRunning();
      running ??= {
        what,
        report: run(since, isUnbounded).finally(() => {
          running = undefined;
        }),
      };
      return running.report;
    },
    last: () => readLast(deps),
    async close() {
      closed = true;
      await snapshots?.close();
    },
  };
}

const closing = () => new DomainError('STORE_UNAVAILABLE', 'closing', { retryAfterS: 1 });

const checkRunning = () =>
  new DomainError('CHECK_RUNNING', 'another check is running: retry when it has finished', {
    retryAfterS: RETRY_AFTER_S,
  });

async function checkAll(
  { db, clock, log, invariants, limitMs = LIMIT_MS }: CheckerDeps,
  snapshots: Snapshots,
  since: Date | undefined,
): Promise<IntegrityReport> {
  const scope: Scope = since === undefined ? everything : newSince(since);
  const startedAt = clock.now();
  const checks: IntegrityCheck[] = [];
  const { lastWhole } = await selectLastRuns(db);
  for (const invariant of await invariants()) {
    if (since !== undefined && 'wholeOnly' in invariant) continue;
    const check =
      since === undefined && isSliced(invariant)
        ? await checkBySlice(snapshots, invariant, { found: foundIn(lastWhole, invariant), now: startedAt, limitMs })
        : await checkInvariant(snapshots, invariant, scope, limitMs);
    checks.push(check);
    report(log, check);
  }
  const ok = checks.every(isFine);
  const results = checks.map(({ promise: _promise, rows: _rows, ...stored }) => stored);
  await insertRun(db, { since: since ?? null, startedAt, finishedAt: clock.now(), ok, results });
  return { ok, checks };
}

const isSliced = (invariant: Invariant): invariant is SqlInvariant & { slices: string } =>
  'slices' in invariant && invariant.slices !== undefined;

const foundIn = (lastWhole: RunRow | undefined, { name }: Invariant): Found =>
  lastWhole?.results.find((result) => result.name === name)?.found ?? {};

async function readLast({ db, invariants }: CheckerDeps): Promise<LastReport> {
  const promises = new Map((await invariants()).map(({ name, promise }) => [name, promise]));
  const [states, checkedAt] = await Promise.all([selectStates(db), selectCheckedAt(db)]);
  const checks = states.map(({ name, violations, isUnfinished, remembered }) => ({
    name,
    promise: promises.get(name) ?? '',
    violations,
    rows: [],
    durationMs: 0,
    ...(isUnfinished ? { error: 'the check did not finish' } : {}),
    ...(remembered !== null && { remembered }),
  }));
  const broken = checks.filter((check) => !isFine(check));
  const all = [...broken, ...checks.filter(isFine)];
  return checkedAt === undefined ? { ok: false, checks: all } : { ok: broken.length === 0, checks: all, checkedAt };
}

const isFine = ({ violations, timedOut, error }: IntegrityCheck): boolean =>
  violations === 0 && timedOut === undefined && error === undefined;

function report(log: Logger, check: IntegrityCheck): void {
  if (isFine(check)) return;
  const { name: invariant, promise, violations, rows, durationMs, error } = check;
  if (violations > 0)
    log.error({ event: 'invariant.broken', invariant, promise, violations, rows }, 'an invariant is broken');
  else
    log.error(
      { event: 'invariant.unfinished', invariant, promise, durationMs, error },
      'an invariant check did not finish',
    );
}
