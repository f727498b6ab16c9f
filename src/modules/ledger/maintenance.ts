import { sql } from '#drizzle';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { hasEnded } from './business-day.ts';
import { asMinor, type Currency, type Minor } from './money.ts';

/**
 * Adds the pending deltas of deferred accounts to their balances, at most `limit`. Several processes may call it at once;
 * none waits for another.
 *
 * @returns how many were added; 0 when there are none, or another process is adding them
 */
export async function applyDeferred(db: Executor, limit: number): Promise<number> {
  const { rows } = await db.execute<{ applied: number }>(sql`select ledger.apply_deferred(${limit}) as applied`);
  return rows[0]?.applied ?? 0;
}

/** Newer entries are left, so that a clock set back a little changes nothing. */
const GRACE_S = 5 * 60;

/** At most this often: each run writes a row for each active partner. */
const EVERY_S = 60;

/** A run starts no step after this; the next run continues. */
const RUN_MS = 10_000;

/** The period of the first step: at seven million movements an hour it takes four seconds. */
const FIRST_STEP_S = 5 * 60;

const STEP_MIN_S = 1;

const STEP_MAX_S = 24 * 60 * 60;

/** A quicker step doubles the next one's period, a slower step halves it. */
const QUICK_MS = 1_000;

const SLOW_MS = 5_000;

/** A step that hits the statement timeout is retried with its period divided by this. */
const CANCELLED_FACTOR = 8;

/** SQLSTATE query_canceled: here by the statement timeout. */
const CANCELLED = '57014';

/**
 * Adds up entries by day and hour, for reports: in steps, each in its own transaction, with a period that adapts to the load.
 * Several processes may call it at once: one adds up, the others return.
 *
 * @param graceS leaves newer entries
 * @param everyS does nothing when less than this would be added up
 */
export async function addUpDays(
  { db }: { db: Database },
  { graceS = GRACE_S, everyS = EVERY_S }: { graceS?: number; everyS?: number } = {},
): Promise<void> {
  if ((await measureLagS(db)) < graceS + everyS) return;
  const runBegun = performance.now();
  let stepS = FIRST_STEP_S;
  for (;;) {
    const begun = performance.now();
    try {
      if (!(await db.transaction((tx) => addUpStep(tx, { graceS, stepS })))) return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== CANCELLED || stepS === STEP_MIN_S) throw error;
      stepS = Math.max(STEP_MIN_S, stepS / CANCELLED_FACTOR);
      continue; // at least one step succeeds: the next run starts with the first period again
    }
    if (performance.now() - runBegun > RUN_MS) return;
    stepS = nextStepS(stepS, performance.now() - begun);
  }
}

function nextStepS(stepS: number, tookMs: number): number {
  if (tookMs < QUICK_MS) return Math.min(STEP_MAX_S, stepS * 2);
  return tookMs > SLOW_MS ? Math.max(STEP_MIN_S, stepS / 2) : stepS;
}

const selectLag = preparedText<{ lag: string }>(
  'books.lag',
  'select extract(epoch from clock_timestamp() - until) as lag from books.totalled',
);

/** Seconds since the last added-up moment, by the database's clock; infinite before the first. */
export async function measureLagS(db: Executor): Promise<number> {
  const [row] = await selectLag(db, []);
  return Number(row?.lag);
}

/** Starts where the last step ended, or at the first entry. */
const step = preparedText<{ until: string; last: boolean }>(
  'books.step',
  `select to_json(least(youngest, begun + make_interval(secs => $2))) #>> '{}' as until,
      youngest <= begun + make_interval(secs => $2) is not false as last
    from (
      select clock_timestamp() - make_interval(secs => $1) as youngest, case when isfinite(x.until) then x.until
          else (select e.created_at from ledger.entry e order by e.transaction_id, e.leg limit 1) end as begun
        from books.totalled x) now`,
);

const add = preparedText<{ added: boolean }>(
  'books.add-up',
  'select books.add_up($1::timestamptz) is not null as added',
  {
    writes: true,
  },
);

/**
 * Adds up the next `stepS` seconds, until `graceS` seconds ago and a day at most.
 *
 * @returns whether there is more; false also when older transactions may still commit, or another process adds up
 */
async function addUpStep(tx: Tx, { graceS, stepS }: { graceS: number; stepS: number }): Promise<boolean> {
  const [next] = await step(tx, [graceS, stepS]);
  if (next === undefined) return false;
  const at = new Date(next.until);
  if (!(await hasEnded(tx, at))) return false;
  const [row] = await add(tx, [at.toISOString()]);
  return row?.added === true && !next.last;
}

export interface LedgerState {
  /** Deltas not yet added to the balances of our own accounts, counted up to 100,000. */
  deferred: number;
  /** Payments in suspense: their sum, their number and the age of the oldest, 0 if there is none. */
  suspense: { currency: Currency; amount: Minor; items: number; oldestS: number }[];
}

/** The backlog of the books, for metrics. */
export async function measureLedger(db: Executor): Promise<LedgerState> {
  const [[deferred], suspense] = await Promise.all([selectDeferred(db, [DEFERRED_MAX]), selectSuspense(db, [])]);
  return {
    deferred: deferred?.count ?? 0,
    suspense: suspense.map(({ currency, amount, items, oldest }) => ({
      currency,
      amount: asMinor(BigInt(amount)),
      items,
      oldestS: Math.max(0, oldest),
    })),
  };
}

/** Counting stops here. */
const DEFERRED_MAX = 100_000;

const selectDeferred = preparedText<{ count: number }>(
  'ledger.deferred-count',
  'select count(*)::int as count from (select 1 from ledger.deferred_delta limit $1) d',
);

const selectSuspense = preparedText<{ currency: Currency; amount: string; items: number; oldest: number }>(
  'ledger.suspense-state',
  `select s.currency,
      s.posted + coalesce((select sum(d.amount) from ledger.deferred_delta d where d.account_id = s.id), 0) as amount,
      (select count(*)::int from ledger.transaction t where t.status = 'Pending' and t.currency = s.currency) as items,
      coalesce((select extract(epoch from now() - t.created_at)::float8 from ledger.transaction t
                  where t.status = 'Pending' and t.currency = s.currency order by t.id limit 1), 0) as oldest
    from ledger.account s where s.kind = 'SUSPENSE'`,
);
