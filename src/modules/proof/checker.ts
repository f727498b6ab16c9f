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

/** What a check says of one invariant. */
export interface IntegrityCheck {
  name: string;
  promise: string;
  /** How many rows break it. */
  violations: number;
  /** The first of them. */
  rows: readonly OffendingRow[];
  durationMs: number;
  /** It took longer than it may: whether it holds is not known. */
  timedOut?: true;
  /** It could not be told, e.g. because a stored value cannot be read: whether it holds is not known. */
  error?: string;
  /** See `StoredResult`. */
  found?: Readonly<Record<string, string>>;
  remembered?: Remembered;
}

/** Tells whether an invariant holds, in a snapshot of its own, within `limitMs`. Only a broken connection makes it throw. */
export async function tell(
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

/** SQLSTATE classes of a connection that is gone, or a server that ends; an error of any other class leaves the rest to be told. */
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

/** What is over so long is not written any more. */
const OVER_MS = 24 * 60 * 60 * 1000;

/** What earlier checks have found right: when, by the end of the slice. */
type Found = Readonly<Record<string, string>>;

/**
 * Tells an invariant slice by slice, each in a snapshot of its own, within `limitMs` in all. First come those that are not known to
 * be right, the newest first, and then the others, the one first that was looked at longest ago. So a check of any size goes on
 * where the one before it had to stop, and looks at everything again by and by. What it does not come to is told as it was found
 * before; where that is not known, or where none of the others could be looked at again, as not told in time.
 */
async function tellBySlice(
  snapshots: Pick<Snapshots, 'read'>,
  invariant: SqlInvariant & { slices: string },
  { found, now, limitMs }: { found: Found; now: Date; limitMs: number },
): Promise<IntegrityCheck> {
  const begun = performance.now();
  const leftMs = () => limitMs - (performance.now() - begun);
  const slices = await slicesOf(snapshots, invariant.slices, limitMs);
  if (slices.length === 0) return tell(snapshots, invariant, everything, limitMs);

  const { name, promise } = invariant;
  const right: Record<string, string> = {};
  const told: IntegrityCheck = { name, promise, violations: 0, rows: [], durationMs: 0 };
  const remembered: string[] = [];
  let goesOn = false;
  for (const slice of inTurn(slices, found)) {
    const key = slice.to?.toISOString() ?? '';
    const before = found[key];
    const check = leftMs() > 0 ? await tell(snapshots, invariant, within(slice), leftMs()) : undefined;
    if (check === undefined || check.timedOut) {
      if (before === undefined || (check !== undefined && !goesOn)) told.timedOut = true;
      if (before !== undefined) {
        remembered.push(before);
        right[key] = before;
      }
      continue;
    }
    goesOn ||= before !== undefined;
    if (check.error !== undefined) told.error ??= check.error;
    told.violations += check.violations;
    told.rows = [...told.rows, ...check.rows].slice(0, SHOWN_MAX);
    const isOver = slice.to !== undefined && now.getTime() - slice.to.getTime() > OVER_MS;
    if (isOver && check.violations === 0 && check.error === undefined) right[key] = now.toISOString();
  }
  const since = remembered.toSorted()[0];
  return {
    ...told,
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

function inTurn(slices: readonly Slice[], found: Found): Slice[] {
  const foundAt = ({ to }: Slice): string => found[to?.toISOString() ?? ''] ?? '';
  const endOf = ({ to }: Slice): number => to?.getTime() ?? Number.POSITIVE_INFINITY;
  return slices.toSorted((a, b) => foundAt(a).localeCompare(foundAt(b)) || (endOf(a) < endOf(b) ? 1 : -1));
}

/** An invariant that takes longer is reported as not finished: nobody reads one snapshot for hours, which holds up vacuum. Also all slices of one. */
const LIMIT_MS = 20 * 60 * 1000;
/** Only one connection to a database has it. */
const LOCK = 'integrity.check';
const RETRY_AFTER_S = 30;

/** What a check has found. */
export interface IntegrityReport {
  /** True when every invariant was told to its end and none is broken. */
  ok: boolean;
  checks: IntegrityCheck[];
}

/** What was found before. */
export interface LastReport extends IntegrityReport {
  /** When the last whole check ended; left out before any has. */
  checkedAt?: Date;
}

/** Tells whether the invariants hold, on the live database and without stopping anything; one check at a time. */
export interface Checker {
  /**
   * Checks everything, or what is new since a moment. Who asks for the same while it runs gets the same report. The report
   * is stored, and what is broken is logged. What is told slice by slice is told of as many slices as there is time for, and of the
   * others as an earlier check found them.
   *
   * @throws DomainError CHECK_RUNNING while another check runs, here or in another process
   */
  check(since?: Date, options?: CheckOptions): Promise<IntegrityReport>;
  /**
   * What the last whole check and those since it have found, what is broken first; not `ok`, and without `checkedAt`, before any
   * whole check has ended. Nothing is checked.
   */
  last(): Promise<LastReport>;
  /** Ends the check that runs, without a report, and begins no other. */
  close(): Promise<void>;
}

interface CheckOptions {
  /** Takes as long as it takes, and looks at all slices. */
  isUnbounded?: boolean;
}

export interface CheckerDeps {
  databaseUrl: string;
  db: Database;
  clock: Clock;
  log: Logger;
  /** Asked for when they are first checked or told of. */
  invariants: () => Promise<readonly Invariant[]>;
  /** For one invariant. */
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
  new DomainError('CHECK_RUNNING', 'another check is running: ask again when it has ended', {
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
        ? await tellBySlice(snapshots, invariant, { found: foundIn(lastWhole, invariant), now: startedAt, limitMs })
        : await tell(snapshots, invariant, scope, limitMs);
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
    ...(isUnfinished ? { error: 'it was not told to its end' } : {}),
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
  if (violations > 0) log.error({ invariant, promise, violations, rows }, 'an invariant is broken');
  else log.error({ invariant, promise, durationMs, error }, 'an invariant could not be told to its end');
}
