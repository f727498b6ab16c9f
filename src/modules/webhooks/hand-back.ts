import type { Pool } from 'pg';
import type { ClaimedDelivery } from './claim-deliveries.ts';

// $1 and $2 the deliveries and the numbers of their attempts, $3 in how many milliseconds they are due. In the order in which results lock: deliveries first, then breakers.
//
// What the claim moved to the earlier attempts comes back into the delivery, for there its latest attempt stands. A delivery
// that has moved on is left alone.
const HAND_BACK = `
with held as materialized (
  select d.id, d.receiver_id, d.attempts from webhooks.delivery d
    join unnest($1::uuid[], $2::int[]) as x (id, number) on x.id = d.id and x.number = d.attempts
   where d.status is not distinct from 'PENDING' and d.last_duration_ms is null and d.last_attempt_error is null
   order by d.id for update of d),
latest as (
  delete from webhooks.attempt a using held h where a.delivery_id = h.id and a.number = h.attempts - 1 returning a.*),
handed_back as (
  update webhooks.delivery d
     set attempts = d.attempts - 1, leased_until = null,
         due_at = case when $3::int > 0 then now() + $3::int * interval '1 millisecond' else d.due_at end, last_attempt_at = l.at, last_status_code = l.status_code,
         last_duration_ms = l.duration_ms, last_attempt_error = l.error, last_response = l.response, last_url = l.url, updated_at = now()
    from held h left join latest l on l.delivery_id = h.id where d.id = h.id
  returning d.id),
probe_again as (
  update webhooks.breaker set probing = false, open_until = now()
   where probing and receiver_id = any (array(select receiver_id from held)))
select count(*)::int as count from handed_back`;

/**
 * Hands back deliveries that were claimed and not sent: the attempt that was begun does not count.
 *
 * @param inMs when they are due again
 * @returns how many
 */
export async function handBack(
  pool: Pool,
  claimed: readonly Pick<ClaimedDelivery, 'deliveryId' | 'number'>[],
  inMs = 0,
): Promise<number> {
  if (claimed.length === 0) return 0;
  const values = [claimed.map(({ deliveryId }) => deliveryId), claimed.map(({ number }) => number), inMs];
  const { rows } = await pool.query<{ count: number }>({ name: 'webhooks-hand-back', text: HAND_BACK, values });
  return rows[0]?.count ?? 0;
}
