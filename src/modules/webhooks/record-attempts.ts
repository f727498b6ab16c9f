import type { Pool } from 'pg';
import type { AttemptResult } from './attempt-result.ts';
import { type BreakerRules, breakerRules } from './breaker.ts';

/** What a batch of results did to the breaker of a receiver. */
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
// Deliveries first, in the order given, then breakers in the order of their receivers: whoever locks several does it in this
// order. Only an attempt that ends here, of a delivery that has not moved on, says how its receiver is doing; and a failure
// only when it began after the receiver last changed, was paused or was resumed: what was sent to its URL before says nothing
// of the new one. "is not distinct from" keeps the planner from the index of what is pending, where it would read all of it for one
// row.
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

// Results of deliveries that have moved on: each completes its own attempt, unless it is complete. It is another statement, so
// that it sees what the claim wrote that the first one waited for.
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
 * Records how attempts ended and what that says of their receivers, many in one statement. A result that comes after its
 * lease has expired completes its own attempt, and leaves a delivery that has moved on as it is. Writing the same result
 * again changes nothing.
 *
 * @returns the breakers that it opened and closed
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
