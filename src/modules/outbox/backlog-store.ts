import type { Pool } from 'pg';

/** How much waits, over all receivers. */
export interface Backlog {
  /** How long the oldest due delivery has been due, of those that no breaker holds. */
  oldestDueSeconds: number;
  pending: number;
  /** Kept for receivers that are paused or have no URL. */
  parked: number;
  receiversPaused: number;
  breakersOpen: number;
}

// Whether a delivery can be sent is its receiver's to say: one that was under way when its receiver was paused is due, and
// waits all the same.
const BACKLOG = `
with waiting as (
  select receiver_id, count(*) as count, min(due_at) as due_at from outbox.delivery
   where status = 'PENDING' and due_at is not null group by receiver_id
  union all
  select receiver_id, count(*), null from outbox.delivery
   where status = 'PENDING' and due_at is null group by receiver_id),
judged as (
  select w.count, w.due_at, r.status = 'ACTIVE' and r.url is not null as deliverable, b.open_until is not null as held
    from waiting w join outbox.receiver r on r.id = w.receiver_id
    left join outbox.breaker b on b.receiver_id = w.receiver_id)
select (select coalesce(sum(count), 0)::int from judged where deliverable) as pending,
       (select coalesce(sum(count), 0)::int from judged where not deliverable) as parked,
       (select coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8
          from judged where deliverable and not held) as "oldestDueSeconds",
       (select count(*)::int from outbox.receiver where status = 'PAUSED') as "receiversPaused",
       (select count(*)::int from outbox.breaker b join outbox.receiver r on r.id = b.receiver_id
         where b.open_until is not null and r.status = 'ACTIVE') as "breakersOpen"`;

/** One statement, cut off after `timeoutMs`. */
export async function selectBacklogOfAll(pool: Pool, timeoutMs: number): Promise<Backlog> {
  const client = await pool.connect();
  try {
    await client.query('begin read only');
    await client.query(`set local statement_timeout = ${timeoutMs}`);
    const { rows } = await client.query<Backlog>(BACKLOG);
    await client.query('commit');
    client.release();
    const [row] = rows;
    if (row === undefined) throw new Error('a count returned nothing');
    return row;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
