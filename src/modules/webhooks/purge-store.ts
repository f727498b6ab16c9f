import { type SQL, sql } from '#drizzle';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { deleteEventBodies } from '#modules/outbox';

/** Deliveries that are looked at in one statement: most of those that end can be purged. */
const LOOKED_AT = 5_000;

/**
 * For each way to end: the deliveries `d` that may have ended so before a moment, by an index and in its order, after a place in it;
 * that place as text; and what no other delivery `s` of the same event may be. No delivery of the event may have changed since.
 */
const candidates = {
  // several end in a millisecond: those of the place itself are looked at again
  DELIVERED: (before: Date, after = '-infinity') => ({
    ended: sql`d.status = 'DELIVERED' and d.delivered_at < ${before} and d.delivered_at >= ${after}`,
    inOrder: sql`d.delivered_at`,
    place: sql`to_json(d.delivered_at) #>> '{}'`,
    unless: sql`(s.status = 'PENDING' or s.status = 'FAILED' and not exists (select from webhooks.delivery t
      where t.event_id = s.event_id and t.receiver_id = s.receiver_id and t.status = 'DELIVERED'))`,
  }),
  // none that was made later has ended before
  FAILED: (before: Date, after = '00000000-0000-0000-0000-000000000000') => ({
    ended: sql`d.status = 'FAILED' and d.id < webhooks.first_id_at(${before}) and d.id > ${after}`,
    inOrder: sql`d.id`,
    place: sql`d.id::text`,
    unless: sql`(s.status = 'PENDING' or s.status = 'DELIVERED' and s.receiver_id = d.receiver_id)`,
  }),
} as const satisfies Record<
  string,
  (before: Date, after?: string) => Record<'ended' | 'inOrder' | 'place' | 'unless', SQL>
>;

/** How a delivery can have ended. */
export type Ended = keyof typeof candidates;

interface Purge {
  status: Ended;
  before: Date;
  limit: number;
  /** As `until` of an earlier look: nothing before it is looked at. */
  after?: string;
}

interface Purged {
  /** Events. */
  purged: number;
  /** The place of the last delivery that was looked at; undefined where there was none. */
  until: string | undefined;
  /** There are no more to look at. */
  isAll: boolean;
}

/**
 * Forgets up to `limit` events that ended before `before`: their bodies, and the attempts of all their deliveries; the
 * deliveries stay as the record. With DELIVERED those that were delivered to every endpoint: one that failed can still be
 * sent again. With FAILED those that one endpoint never took. What is pending is left alone.
 */
export async function purgeDeliveries({ transact }: { transact: Transact }, purge: Purge): Promise<Purged> {
  return transact(async (tx) => {
    const { lockedIds, ...looked } = await lockEvents(tx, purge);
    const eventIds = await markPurged(tx, lockedIds);
    if (eventIds.length > 0) await deleteEventBodies(tx, eventIds);
    return { purged: eventIds.length, ...looked };
  });
}

interface Looked {
  ids: string[];
  until: string | null;
  all: boolean;
}

/** Locks events of which no delivery is pending or has ended since. Whoever is about to send one again holds it: it is skipped. */
async function lockEvents(
  tx: Tx,
  { status, before, limit, after }: Purge,
): Promise<Omit<Purged, 'purged'> & { lockedIds: string[] }> {
  const { ended, inOrder, place, unless } = candidates[status](before, after);
  const { rows } = await tx.execute<Looked & Record<string, unknown>>(sql`
    with looked as materialized (
      select d.event_id, d.receiver_id, ${place} as until, row_number() over (order by ${inOrder}) as place
        from (select * from webhooks.delivery d where ${ended} and d.purged_at is null order by ${inOrder} limit ${LOOKED_AT}) d),
    found as materialized (
      select d.event_id, d.place from looked d
       where not exists (select from webhooks.delivery s where s.event_id = d.event_id
                            and (${unless} or s.updated_at >= ${before}))
       order by d.place limit ${limit}),
    seen as (
      select case when count(*) = ${limit} then max(place) end as place from found)
    select array(select e.id from outbox.event e where e.id = any (array(select event_id from found))
                   for update skip locked)::text[] as ids,
        (select l.until from looked l, seen where l.place <= coalesce(seen.place, l.place) order by l.place desc limit 1) as until,
        (select seen.place is null from seen) and (select count(*) from looked) < ${LOOKED_AT} as all`);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate returned nothing');
  return { lockedIds: row.ids, until: row.until ?? undefined, isAll: row.all };
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

const ending = preparedText<{ ended: number }>(
  'webhooks.end-waiting',
  'select webhooks.end_waiting($1::timestamptz, $2::int) as ended',
  { writes: true },
);

/**
 * Ends, as FAILED and without an attempt, what has waited since before a moment: held for a receiver that is paused or has no
 * URL, or due and not taken.
 *
 * @returns how many, `limit` at most
 */
export async function endWaiting(db: Database, before: Date, limit: number): Promise<number> {
  const [row] = await ending(db, [before, limit]);
  return row?.ended ?? 0;
}

const forgetting = preparedText<{ forgotten: number }>(
  'webhooks.forget-deliveries',
  'select webhooks.forget_deliveries($1::timestamptz, $2::int) as forgotten',
  { writes: true },
);

/**
 * Deletes all deliveries of events that were purged before a moment. The events stay.
 *
 * @returns of how many events, `limit` at most
 */
export async function forgetDeliveries(db: Database, before: Date, limit: number): Promise<number> {
  const [row] = await forgetting(db, [before, limit]);
  return row?.forgotten ?? 0;
}
