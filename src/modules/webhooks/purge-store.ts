import { type SQL, sql } from '#drizzle';
import type { Tx } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { deleteEventBodies } from '#modules/outbox';

/**
 * For each way to end: the deliveries `d` that ended so before a moment, the order of their index, and what no other
 * delivery `s` of the same event may be.
 */
const candidates = {
  DELIVERED: (before: Date) => ({
    ended: sql`d.status = 'DELIVERED' and d.delivered_at < ${before}`,
    inOrder: sql`d.delivered_at`,
    unless: sql`(s.status = 'PENDING' or s.status = 'FAILED' and not exists (select from webhooks.delivery t
      where t.event_id = s.event_id and t.receiver_id = s.receiver_id and t.status = 'DELIVERED'))`,
  }),
  FAILED: (before: Date) => ({
    ended: sql`d.status = 'FAILED' and d.updated_at < ${before}`,
    inOrder: sql`d.id`,
    unless: sql`(s.status = 'PENDING' or s.status = 'DELIVERED' and s.receiver_id = d.receiver_id)`,
  }),
} as const satisfies Record<string, (before: Date) => Record<'ended' | 'inOrder' | 'unless', SQL>>;

/**
 * Forgets up to `limit` events that ended before `before`: their bodies, and the attempts of all their deliveries; the
 * deliveries stay as the record. With DELIVERED those that were delivered to every endpoint: one that failed can still be
 * sent again. With FAILED those that one endpoint never took. What is pending is left alone.
 *
 * @returns how many
 */
export async function purgeDeliveries(
  { transact }: { transact: Transact },
  { status, before, limit }: { status: keyof typeof candidates; before: Date; limit: number },
): Promise<number> {
  return transact(async (tx) => {
    const eventIds = await markPurged(tx, await lockEvents(tx, candidates[status](before), before, limit));
    if (eventIds.length > 0) await deleteEventBodies(tx, eventIds);
    return eventIds.length;
  });
}

/** Locks events of which no delivery is pending or has ended since. Whoever is about to send one again holds it: it is skipped. */
async function lockEvents(
  tx: Tx,
  { ended, inOrder, unless }: Record<'ended' | 'inOrder' | 'unless', SQL>,
  before: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select e.id from outbox.event e
     where e.id = any (array(
             select d.event_id from webhooks.delivery d
              where ${ended} and d.purged_at is null
                and not exists (select from webhooks.delivery s where s.event_id = d.event_id
                                   and (${unless} or s.updated_at >= ${before}))
              order by ${inOrder} limit ${limit}))
       for update skip locked`);
  return rows.map(({ id }) => id);
}

/** Of locked events: marks their deliveries and deletes every attempt. It looks once more for what is pending by now. */
async function markPurged(tx: Tx, lockedIds: string[]): Promise<string[]> {
  if (lockedIds.length === 0) return [];
  const { rows } = await tx.execute<{ id: string }>(sql`
    with marked as (
      update webhooks.delivery d
         set purged_at = now(), last_status_code = null, last_duration_ms = null, last_attempt_error = null, last_response = null
       where d.event_id = any (${sql.param(lockedIds)}::uuid[])
         and not exists (select from webhooks.delivery s where s.event_id = d.event_id and s.status = 'PENDING')
      returning d.id, d.event_id),
    deleted as (
      delete from webhooks.attempt a using marked where a.delivery_id = marked.id)
    select distinct event_id as id from marked`);
  return rows.map(({ id }) => id);
}
