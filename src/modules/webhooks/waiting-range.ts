import type { Pool } from 'pg';

/** The first and the last id of some. */
export interface IdRange {
  first: string;
  last: string;
}

export const ALL_IDS: IdRange = {
  first: '00000000-0000-0000-0000-000000000000',
  last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

const KEPT_MS = 30_000;

// An id says when it was given: what is written from now on lies about now, within a day for a clock that was set. What is held has
// its old id when it becomes due.
const RANGE = `
select least(outbox.first_id_at(now() - interval '1 day'),
         (select id from webhooks.delivery where status = 'PENDING' and due_at is not null order by id limit 1),
         (select id from webhooks.delivery where status = 'PENDING' and due_at is null order by id limit 1))::text as first,
       greatest(outbox.first_id_at(now() + interval '1 day'),
         (select id from webhooks.delivery where status = 'PENDING' and due_at is not null order by id desc limit 1),
         (select id from webhooks.delivery where status = 'PENDING' and due_at is null order by id desc limit 1))::text as last`;

/**
 * The ids of what waits, and of what will be written in a while: most parts of the table lie outside, and a claim that is told so
 * costs no more for them. Asked anew after half a minute, so that what comes from outside, by a clock that was a day wrong, waits
 * no longer than that.
 */
export function createWaitingRange(pool: Pool): () => Promise<IdRange> {
  let known: { range: IdRange; until: number } | undefined;
  return async () => {
    const now = performance.now();
    if (known !== undefined && now < known.until) return known.range;
    const { rows } = await pool.query<IdRange>({ name: 'webhooks-waiting-range', text: RANGE });
    const range = rows[0] ?? ALL_IDS;
    known = { range, until: now + KEPT_MS };
    return range;
  };
}
