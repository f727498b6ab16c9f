import type { Pool } from 'pg';
import type { BreakerRules } from './breaker.ts';

/** How one attempt ended, and what becomes of its delivery. */
export interface Outcome {
  deliveryId: string;
  number: number;
  status: 'DELIVERED' | 'FAILED' | 'PENDING';
  /** With PENDING: the backoff, from the moment this is written. */
  retryInMs: number | null;
  /** For how long the receiver asked to be left alone. */
  askedMs?: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first bytes of the answer. */
  response: Buffer | null;
}

/** What a batch of outcomes did to the breaker of a receiver. */
export interface BreakerChange {
  receiverId: string;
  change: 'OPENED' | 'CLOSED';
}

// $1 to $9 the outcomes, $10 to $12 the rules of the breaker, $13 the moment (tests). Deliveries first, in the order given,
// then their attempts, as a claim does, then breakers in the order of their receivers: whoever locks several does it in
// this order. Only an attempt that ends here, of a delivery that has not moved on, says how its receiver is doing, and a failure
// only when it began after the receiver's last change: what was sent to the URL before says nothing of the new one. "is not
// distinct from" keeps the planner from the index of what is pending, where it would read all of it for one row.
const RECORD = `
with outcome as materialized (
  select * from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::bytea[], $9::int[])
    as o (delivery_id, number, status, retry_in_ms, status_code, duration_ms, error, response, asked_ms)),
moved as (
  update outbox.delivery d
     set status = o.status,
         last_error = coalesce(o.error, d.last_error),
         delivered_at = case when o.status = 'DELIVERED' then now() end,
         due_at = coalesce(now() + o.retry_in_ms * interval '1 millisecond', d.due_at),
         updated_at = now()
    from outcome o
   where d.id = o.delivery_id and d.attempts = o.number and d.status is not distinct from 'PENDING'
  returning d.id, d.receiver_id, d.last_attempt_at as begun_at, o.status = 'DELIVERED' as delivered, o.asked_ms),
completed as (
  update outbox.attempt a
     set status_code = o.status_code, duration_ms = o.duration_ms, error = o.error, response = o.response
    from (select count(*) as before from moved) m, outcome o
   where m.before >= 0 and a.delivery_id = o.delivery_id and a.number = o.number and a.duration_ms is null
  returning a.delivery_id),
told as materialized (
  select m.receiver_id, bool_or(m.delivered) as delivered, count(*)::int as attempts, max(m.asked_ms) as asked_ms,
         max(m.begun_at) as begun_at
    from moved m where m.id = any (array(select delivery_id from completed)) group by m.receiver_id order by m.receiver_id),
noted as materialized (
  select receiver_id, outbox.note_outcomes(receiver_id, delivered, attempts, asked_ms, $10::int, $11::int, $12::int,
           coalesce($13::timestamptz, now())) as change
    from told
   where case when delivered then exists (select from outbox.breaker b where b.receiver_id = told.receiver_id)
              else exists (select from outbox.receiver r where r.id = told.receiver_id and r.updated_at <= told.begun_at) end)
select receiver_id as "receiverId", change from noted where change is not null`;

/** Writes many outcomes in one statement. One that comes too late changes its own attempt, never the delivery. */
export async function writeOutcomes(
  pool: Pool,
  batch: readonly Outcome[],
  { tripAfter, coolDownMs, coolDownMaxMs }: BreakerRules,
  now: Date | undefined,
): Promise<BreakerChange[]> {
  const inOrder = batch.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const column = <K extends keyof Outcome>(name: K): Outcome[K][] => inOrder.map((outcome) => outcome[name]);
  const { rows } = await pool.query<BreakerChange>({
    name: 'outbox-record',
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
      tripAfter,
      coolDownMs,
      coolDownMaxMs,
      now ?? null,
    ],
  });
  return rows;
}
