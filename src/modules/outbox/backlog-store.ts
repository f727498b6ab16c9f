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

const BACKLOG = `
select (select count(*)::int from outbox.delivery where status = 'PENDING' and due_at is not null) as pending,
       (select count(*)::int from outbox.delivery where status = 'PENDING' and due_at is null) as parked,
       (select coalesce(greatest(0, extract(epoch from now() - min(d.due_at))), 0)::float8
          from outbox.delivery d left join outbox.breaker b on b.receiver_id = d.receiver_id
         where d.status = 'PENDING' and d.due_at is not null and b.open_until is null) as "oldestDueSeconds",
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
