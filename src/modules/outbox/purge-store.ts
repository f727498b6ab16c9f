import { type SQL, sql } from '#drizzle';
import type { Tx } from '#lib/database.ts';

/** The deliveries `d` that ended so before a moment, in the order of an index, and what another of their event, `s`, may not be. */
const candidates = {
  DELIVERED: (before: Date) => ({
    of: sql`d.status = 'DELIVERED' and d.delivered_at < ${before}`,
    inOrder: sql`d.delivered_at`,
    unless: sql`s.status = 'PENDING'`,
  }),
  FAILED: (before: Date) => ({
    of: sql`d.status = 'FAILED' and d.updated_at < ${before}`,
    inOrder: sql`d.updated_at`,
    unless: sql`s.status <> 'FAILED'`,
  }),
} as const satisfies Record<string, (before: Date) => Record<'of' | 'inOrder' | 'unless', SQL>>;

/**
 * Locks events that were delivered, or have failed and never were delivered, before `before`, and of which no delivery is
 * on its way or has ended since. Whoever is about to deliver one again holds it, so it is passed over.
 */
export async function lockPurgeable(
  tx: Tx,
  ended: keyof typeof candidates,
  before: Date,
  limit: number,
): Promise<string[]> {
  const { of, inOrder, unless } = candidates[ended](before);
  const { rows } = await tx.execute<{ id: string }>(sql`
    select e.id from outbox.event e
     where e.id = any (array(
             select d.event_id from outbox.delivery d
              where ${of} and d.purged_at is null
                and not exists (select from outbox.delivery s where s.event_id = d.event_id
                                   and (${unless} or s.updated_at >= ${before}))
              order by ${inOrder} limit ${limit}))
       for update skip locked`);
  return rows.map(({ id }) => id);
}

/** Of locked events: empties them, and deletes every attempt. Another look leaves out what is on its way by now. */
export async function purgeLocked(tx: Tx, eventIds: readonly string[]): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    with emptied as (
      update outbox.event e set body = null
       where e.id = any (${sql.param(eventIds)}::uuid[])
         and not exists (select from outbox.delivery s where s.event_id = e.id and s.status = 'PENDING')
      returning e.id),
    marked as (
      update outbox.delivery d set purged_at = now() from emptied where d.event_id = emptied.id returning d.id),
    deleted as (
      delete from outbox.attempt a using marked where a.delivery_id = marked.id)
    select count(*)::int as count from emptied`);
  return rows[0]?.count ?? 0;
}
