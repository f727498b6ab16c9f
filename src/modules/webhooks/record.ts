import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { outageLogger } from '#lib/log.ts';
import type { Meter } from '#lib/meter.ts';
import type { AttemptResult } from './outcome.ts';

const BATCH_MAX = 500;
const RETRY_MS = 250;

/** How long a shutdown waits for the database. A delivery without a recorded result is sent again after its lease. */
const CLOSE_MAX_MS = 5_000;

export interface Recorder {
  /** How many results are not written yet. */
  readonly unrecorded: number;
  /** `settled` is called once the result is written or dropped. */
  add(result: AttemptResult, settled?: () => void): void;
  /** Writes the remaining results, for five seconds at most. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  pool: Pool;
  breaker: BreakerRules;
  metrics: Meter;
  /** Called after each written batch. */
  written: (batch: readonly AttemptResult[]) => void;
  /** A result older than this is dropped: its delivery is due again. */
  leaseMs: number;
  log: Logger;
}

/** Writes results in batches: results that arrive while one batch is written form the next. */
export function createRecorder({ pool, breaker, metrics, written, leaseMs, log }: RecorderOptions): Recorder {
  const writing = outageLogger(log, 'recording webhook outcomes');
  let queue: { result: AttemptResult; until: number; settled: (() => void) | undefined }[] = [];
  let batch: typeof queue = [];
  let running: Promise<void> | undefined;
  let giveUpAt = Number.POSITIVE_INFINITY;

  const isInTime = ({ until }: { until: number }) => performance.now() < Math.min(until, giveUpAt);

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      batch = queue.splice(0, BATCH_MAX);
      while (batch.length > 0 && !(await writeBatch())) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        const inTime = new Set(batch.filter(isInTime));
        const lost = batch.filter((one) => !inTime.has(one));
        if (lost.length > 0)
          log.error({ event: 'webhook.results_lost', lost: lost.length }, 'webhook outcomes not recorded');
        for (const { settled } of lost) settled?.();
        batch = [...inTime];
      }
      batch = [];
    }
  }

  async function writeBatch(): Promise<boolean> {
    const results = batch.map(({ result }) => result);
    try {
      await write(results);
    } catch (error) {
      writing.failed(error);
      return false;
    }
    writing.recovered();
    for (const { settled } of batch) settled?.();
    written(results);
    return true;
  }

  async function write(results: readonly AttemptResult[]): Promise<void> {
    for (const { receiverId, change } of await recordAttempts(pool, results, { rules: breaker })) {
      if (change === 'OPENED') {
        metrics.add('paytag_webhook_breakers_opened_total', {});
        log.warn(
          { event: 'breaker.opened', receiverId },
          'a webhook receiver keeps failing: its deliveries are on hold',
        );
      } else {
        log.info({ event: 'breaker.closed', receiverId }, 'a webhook receiver works again: its deliveries are sent');
      }
    }
  }

  const run = (): Promise<void> => (running ??= drain().finally(() => (running = undefined)));

  return {
    get unrecorded() {
      return queue.length + batch.length;
    },
    add(result, settled) {
      queue.push({ result, until: performance.now() + leaseMs, settled });
      void run();
    },
    async close() {
      giveUpAt = performance.now() + CLOSE_MAX_MS;
      await run();
    },
  };
}

/** A breaker that a batch of results opened or closed. */
export interface BreakerChange {
  receiverId: string;
  change: 'OPENED' | 'CLOSED';
}

// $1 to $9 the results.
const RESULT = `
with result as materialized (
  select * from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::bytea[], $9::int[])
    as x (delivery_id, number, status, retry_in_ms, status_code, duration_ms, error, response, asked_ms))`;

// $10 to $12 the rules of the breaker, $13 the moment (tests).
//
// Locks deliveries first, then breakers, each in the order of their ids. Only an attempt that ends here, of a delivery that
// has not moved on, counts for the breaker. A failure counts only if the attempt began after the receiver last changed or was
// paused or resumed: a failure of the old URL says nothing about the new one. "is not distinct from" keeps the planner from
// the index of pending deliveries, which it would read whole for one row.
const RECORD = `${RESULT},
updated as (
  update webhooks.delivery d
     set status = x.status,
         last_error = coalesce(x.error, d.last_error),
         last_status_code = x.status_code, last_duration_ms = x.duration_ms,
         last_attempt_error = x.error, last_response = x.response,
         delivered_at = case when x.status = 'DELIVERED' then now() end,
         due_at = coalesce(now() + x.retry_in_ms * interval '1 millisecond', d.due_at),
         leased_until = null,
         updated_at = now()
    from result x
   where d.id = x.delivery_id and d.attempts = x.number and d.status is not distinct from 'PENDING'
     and d.last_duration_ms is null
  returning d.receiver_id, d.last_attempt_at as begun_at, x.status = 'DELIVERED' as delivered, x.asked_ms),
by_receiver as materialized (
  select receiver_id, bool_or(delivered) as delivered, count(*)::int as attempts, max(asked_ms) as asked_ms,
         max(begun_at) as begun_at
    from updated group by receiver_id order by receiver_id),
changes as materialized (
  select receiver_id, webhooks.update_breaker(receiver_id, delivered, attempts, asked_ms, $10::int, $11::int, $12::int,
           coalesce($13::timestamptz, now())) as change
    from by_receiver x
   where case when delivered then exists (select from webhooks.breaker b where b.receiver_id = x.receiver_id)
              else exists (select from outbox.receiver r left join webhooks.pause p on p.receiver_id = r.id
                            where r.id = x.receiver_id
                              and greatest(r.updated_at, p.paused_at, p.resumed_at) <= x.begun_at) end)
select u.recorded, c.receiver_id as "receiverId", c.change
  from (select coalesce(sum(attempts), 0)::int as recorded from by_receiver) u
  left join (select * from changes where change is not null) c on true`;

// Late results, of deliveries that have moved on: each completes its own attempt, unless that is complete. A second statement,
// so that it sees what a concurrent claim wrote while the first statement waited for its lock.
const RECORD_LATE = `${RESULT},
of_the_last as (
  update webhooks.delivery d
     set last_status_code = x.status_code, last_duration_ms = x.duration_ms, last_attempt_error = x.error,
         last_response = x.response
    from result x
   where d.id = x.delivery_id and d.attempts = x.number and d.status is not distinct from 'FAILED'
     and d.last_duration_ms is null and d.purged_at is null)
update webhooks.attempt a
   set status_code = x.status_code, duration_ms = x.duration_ms, error = x.error, response = x.response
  from result x
 where a.delivery_id = x.delivery_id and a.number = x.number and a.duration_ms is null`;

/**
 * Records results and counts them in the receivers' breakers, many in one statement. Idempotent. A result that arrives after
 * its lease completes its own attempt and does not change a delivery that has moved on.
 *
 * @returns the breakers that opened or closed
 */
export async function recordAttempts(
  pool: Pool,
  results: readonly AttemptResult[],
  { rules = breakerRules(), now }: { rules?: BreakerRules; now?: Date } = {},
): Promise<BreakerChange[]> {
  if (results.length === 0) return [];
  const inOrder = results.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const column = <K extends keyof AttemptResult>(name: K): AttemptResult[K][] => inOrder.map((result) => result[name]);
  const columns = [
    column('deliveryId'),
    column('number'),
    column('status'),
    column('retryInMs'),
    column('statusCode'),
    column('durationMs'),
    column('error'),
    column('response'),
    inOrder.map(({ askedMs = 0 }) => askedMs),
  ];
  const { rows } = await pool.query<{ recorded: number } & (BreakerChange | { change: null })>({
    name: 'webhooks-record',
    text: RECORD,
    values: [...columns, rules.tripAfter, rules.coolDownMs, rules.coolDownMaxMs, now ?? null],
  });
  if ((rows[0]?.recorded ?? 0) < results.length) {
    await pool.query({ name: 'webhooks-record-late', text: RECORD_LATE, values: columns });
  }
  return rows.filter((row) => row.change !== null).map(({ receiverId, change }) => ({ receiverId, change }));
}

/** When the breaker of a receiver opens, and for how long. */
export interface BreakerRules {
  /** Failures in a row. */
  tripAfter: number;
  /** After the first opening. Doubles with each further opening until a success that is no probe. */
  coolDownMs: number;
  coolDownMaxMs: number;
}

/**
 * More than the five attempts of one event, so that one bad event never stops the others; fewer than a receiver may have
 * in flight, so that a receiver that hangs frees its slots after the first batch.
 */
const TRIP_AFTER = 10;
const DOUBLINGS_MAX = 5;
const COOL_DOWN_MS = 30_000;

/**
 * A circuit breaker for each receiver, shared by all processes. After ten failures in a row nothing of the receiver is claimed
 * until the cool-down ends, so pending deliveries lose no attempts. Then one delivery probes: success closes the breaker,
 * failure doubles the cool-down, up to 32 times the first. If the deliveries after a successful probe fail, the cool-down
 * doubles as well; it starts from the first value again only after another success.
 */
export const breakerRules = (coolDownMs = COOL_DOWN_MS): BreakerRules => ({
  tripAfter: TRIP_AFTER,
  coolDownMs,
  coolDownMaxMs: coolDownMs * 2 ** DOUBLINGS_MAX,
});

export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** The state at `now`. A receiver without a row is CLOSED. */
export function breakerState(row: { openUntil: Date | null; probing: boolean } | null, now: Date): BreakerState {
  if (row === null || row.openUntil === null) return 'CLOSED';
  return row.probing || row.openUntil <= now ? 'HALF_OPEN' : 'OPEN';
}
