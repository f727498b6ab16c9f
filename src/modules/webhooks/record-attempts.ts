import type { Pool } from 'pg';
import type { AttemptResult } from './attempt-result.ts';
import { type BreakerRules, breakerRules } from './breaker.ts';

/** What a batch of results did to the breaker of a receiver. */
export interface BreakerChange {
  receiverId: string;
  change: 'OPENED' | 'CLOSED';
}

// $1 to $9 the results, $10 to $12 the rules of the breaker, $13 the moment (tests).
//
// Deliveries first, in the order given, then their attempts, as a claim does, then breakers in the order of their
// receivers: whoever locks several does it in this order. Only an attempt that ends here, of a delivery that has not moved
// on, says how its receiver is doing; and a failure only when it began after the receiver last changed, was paused or was
// resumed: what was sent to its URL before says nothing of the new one. "is not distinct from" keeps the planner from the
// index of what is pending, where it would read all of it for one row.
const RECORD = `
with result as materialized (
  select * from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::bytea[], $9::int[])
    as x (delivery_id, number, status, retry_in_ms, status_code, duration_ms, error, response, asked_ms)),
updated as (
  update webhooks.delivery d
     set status = x.status,
         last_error = coalesce(x.error, d.last_error),
         delivered_at = case when x.status = 'DELIVERED' then now() end,
         due_at = coalesce(now() + x.retry_in_ms * interval '1 millisecond', d.due_at),
         updated_at = now()
    from result x
   where d.id = x.delivery_id and d.attempts = x.number and d.status is not distinct from 'PENDING'
  returning d.id, d.receiver_id, d.last_attempt_at as begun_at, x.status = 'DELIVERED' as delivered, x.asked_ms),
completed as (
  update webhooks.attempt a
     set status_code = x.status_code, duration_ms = x.duration_ms, error = x.error, response = x.response
    from (select count(*) as before from updated) u, result x
   where u.before >= 0 and a.delivery_id = x.delivery_id and a.number = x.number and a.duration_ms is null
  returning a.delivery_id),
by_receiver as materialized (
  select u.receiver_id, bool_or(u.delivered) as delivered, count(*)::int as attempts, max(u.asked_ms) as asked_ms,
         max(u.begun_at) as begun_at
    from updated u where u.id = any (array(select delivery_id from completed)) group by u.receiver_id order by u.receiver_id),
changes as materialized (
  select receiver_id, webhooks.update_breaker(receiver_id, delivered, attempts, asked_ms, $10::int, $11::int, $12::int,
           coalesce($13::timestamptz, now())) as change
    from by_receiver x
   where case when delivered then exists (select from webhooks.breaker b where b.receiver_id = x.receiver_id)
              else exists (select from outbox.receiver r left join webhooks.pause p on p.receiver_id = r.id
                            where r.id = x.receiver_id
                              and greatest(r.updated_at, p.paused_at, p.resumed_at) <= x.begun_at) end)
select receiver_id as "receiverId", change from changes where change is not null`;

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
  const { rows } = await pool.query<BreakerChange>({
    name: 'webhooks-record',
    text: RECORD,
    values: [
      column('deliveryId'),
      column('number'),
      column('status'),
      column('retryInMs'),
      column('statusCode'),
      column('durationMs'),
      column('error'),
      column('response'),
      inOrder.map(({ askedMs = 0 }) => askedMs),
      rules.tripAfter,
      rules.coolDownMs,
      rules.coolDownMaxMs,
      now ?? null,
    ],
  });
  return rows;
}
