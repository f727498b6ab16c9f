import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import { everything, type Invariant, newSince, type Scope, type SqlInvariant } from '#lib/invariant.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { openSnapshots, type Snapshots } from '#lib/postgres/long-work.ts';
import { insertRun, type RunRow, selectCheckedAt, selectLastRuns, selectStates } from './store.ts';
import { type IntegrityCheck, tell } from './tell.ts';
import { type Found, tellBySlice } from './tell-by-slice.ts';

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
