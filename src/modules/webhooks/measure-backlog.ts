import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** How much waits, over all receivers. */
export interface Backlog extends Record<string, unknown> {
  /** How long the oldest due delivery has been due, leaving out receivers whose breaker is open. */
  oldestDueSeconds: number;
  /** Due now, leaving out receivers whose breaker is open. Some that are being sent may be among them. */
  due: number;
  /** Due now or later, or being sent. */
  pending: number;
  /** Held for receivers that are paused or have no URL. */
  held: number;
  receiversPaused: number;
  breakersOpen: number;
}

// What is leased is being sent, and is not due. Whether a delivery can be sent depends on its receiver: one that was in flight when its receiver was paused has a due
// time, and is held all the same.
// A claim takes the oldest of a receiver first, so what is being sent mostly stands before the first that is not. Due is what stands from
// that one on until now: so it is counted in the index. Where an earlier one comes back, of a worker that died, what is being sent behind
// it counts too.
// By full joins, so that nothing is looked for once for each receiver or delivery, however few PostgreSQL expects.
const selectBacklog = preparedText<Backlog>(
  'webhooks.backlog',
  `
with waiting as (
  select receiver_id, w.count, d.due_at
    from (select receiver_id, count(*) as count from webhooks.delivery
           where status = 'PENDING' and due_at is not null group by receiver_id) w
    full join webhooks.oldest_due() d using (receiver_id)
  union all
  select receiver_id, count(*), null from webhooks.delivery
   where status = 'PENDING' and due_at is null group by receiver_id),
paused as (select receiver_id from webhooks.pause where resumed_at is null),
by_receiver as (
  select w.receiver_id, w.count, w.due_at, r.url is not null and p.receiver_id is null as deliverable, b.open_until is not null as is_open
    from waiting w join outbox.receiver r on r.id = w.receiver_id
    left join paused p on p.receiver_id = w.receiver_id
    left join webhooks.breaker b on b.receiver_id = w.receiver_id)
select (select coalesce(sum(count), 0)::int from by_receiver where deliverable) as pending,
       (select coalesce(sum(count), 0)::int from by_receiver where not deliverable) as held,
       (select coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8
          from by_receiver where deliverable and not is_open) as "oldestDueSeconds",
       (select count(*) filter (where d.due_at >= first.due_at)::int
          from (select receiver_id, due_at from webhooks.delivery
                 where status = 'PENDING' and due_at is not null and due_at <= now()) d
          full join (select receiver_id, due_at from by_receiver
                      where deliverable and not is_open and due_at is not null) first
            on first.receiver_id = d.receiver_id) as due,
       (select count(*)::int from paused) as "receiversPaused",
       (select count(*)::int from webhooks.breaker b
         where b.open_until is not null and not exists (select from paused p where p.receiver_id = b.receiver_id))
         as "breakersOpen"`,
);

/** How much waits to be delivered, for metrics. */
export async function measureBacklog(db: Executor): Promise<Backlog> {
  const [row] = await selectBacklog(db, []);
  if (row === undefined) throw new Error('a count returned nothing');
  return row;
}
