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
// then breakers in the order of their receivers: whoever locks several does it in this order.
const RECORD = `
with ended as materialized (
  select o.status = 'DELIVERED' as delivered, o.asked_ms,
         outbox.record_outcome(o.delivery_id, o.number, o.status, o.retry_in_ms, o.status_code, o.duration_ms, o.error,
           o.response) as receiver_id
    from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::bytea[], $9::int[])
      as o (delivery_id, number, status, retry_in_ms, status_code, duration_ms, error, response, asked_ms)),
told as materialized (
  select receiver_id, bool_or(delivered) as delivered, count(*)::int as attempts, max(asked_ms) as asked_ms
    from ended where receiver_id is not null group by receiver_id order by receiver_id),
noted as materialized (
  select receiver_id, outbox.note_outcomes(receiver_id, delivered, attempts, asked_ms, $10::int, $11::int, $12::int,
           coalesce($13::timestamptz, now())) as change
    from told where not delivered or exists (select from outbox.breaker b where b.receiver_id = told.receiver_id))
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
