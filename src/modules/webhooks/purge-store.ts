import { type SQL, sql } from '#drizzle';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { deleteEventBodies } from '#modules/outbox';

/** Deliveries that one statement examines. Most of them can be purged. */
const EXAMINED_MAX = 5_000;

/**
 * For each final status: the deliveries `d` that ended so before a moment, in the order of an index, after a position in it; that
 * position as text; and what no other delivery `s` of the same event may be.
 */
const candidates = {
  // several end in one millisecond, so those at the position itself are examined again
  DELIVERED: (before: Date, after = '-infinity') => ({
    ended: sql`d.status = 'DELIVERED' and d.delivered_at < ${before} and d.delivered_at >= ${after}`,
    inOrder: sql`d.delivered_at`,
    position: sql`to_json(d.delivered_at) #>> '{}'`,
    unless: sql`(s.status = 'PENDING' or s.status = 'FAILED' and not exists (select from webhooks.delivery t
      where t.event_id = s.event_id and t.receiver_id = s.receiver_id and t.status = 'DELIVERED'))`,
  }),
  // a delivery created after `before` cannot have ended before it
  FAILED: (before: Date, after = '00000000-0000-0000-0000-000000000000') => ({
    ended: sql`d.status = 'FAILED' and d.id < webhooks.first_id_at(${before}) and d.id > ${after}`,
    inOrder: sql`d.id`,
    position: sql`d.id::text`,
    unless: sql`(s.status = 'PENDING' or s.status = 'DELIVERED' and s.receiver_id = d.receiver_id)`,
  }),
} as const satisfies Record<
  string,
  (before: Date, after?: string) => Record<'ended' | 'inOrder' | 'position' | 'unless', SQL>
>;

export type Ended = keyof typeof candidates;

interface Purge {
  status: Ended;
  before: Date;
  limit: number;
  /** The `until` of an earlier call: skips deliveries before it. */
  after?: string;
}

interface Purged {
  /** How many events. */
  purged: number;
  /** The position of the last examined delivery; undefined if there was none. */
  until: string | undefined;
  /** No candidates remain. */
  isAll: boolean;
}

/**
 * Deletes the bodies and attempts of up to `limit` events that ended before `before`; the deliveries stay as the record.
 * DELIVERED: events delivered to every endpoint, since a failed one can still be resent. FAILED: events that an endpoint never
 * accepted. Events with a pending delivery are skipped.
 */
export async function purgeDeliveries({ transact }: { transact: Transact }, purge: Purge): Promise<Purged> {
  return transact(async (tx) => {
    const { lockedIds, ...examined } = await lockEvents(tx, purge);
    const eventIds = await markPurged(tx, lockedIds);
    if (eventIds.length > 0) await deleteEventBodies(tx, eventIds);
    return { purged: eventIds.length, ...examined };
  });
}

interface Examined {
  ids: string[];
  until: string | null;
  all: boolean;
}

/** Locks events without a pending or recently changed delivery. Skips an event that a resend holds. */
async function lockEvents(
  tx: Tx,
  { status, before, limit, after }: Purge,
): Promise<Omit<Purged, 'purged'> & { lockedIds: string[] }> {
  const { ended, inOrder, position, unless } = candidates[status](before, after);
  const { rows } = await tx.execute<Examined & Record<string, unknown>>(sql`
    with examined as materialized (
      select d.event_id, d.receiver_id, ${position} as until, row_number() over (order by ${inOrder}) as place
        from (select * from webhooks.delivery d where ${ended} and d.purged_at is null order by ${inOrder} limit ${EXAMINED_MAX}) d),
    found as materialized (
      select d.event_id, d.place from examined d
       where not exists (select from webhooks.delivery s where s.event_id = d.event_id
                            and (${unless} or s.updated_at >= ${before}))
       order by d.place limit ${limit}),
    seen as (
      select case when count(*) = ${limit} then max(place) end as place from found)
    select array(select e.id from outbox.event e where e.id = any (array(select event_id from found))
                   for update skip locked)::text[] as ids,
        (select l.until from examined l, seen where l.place <= coalesce(seen.place, l.place) order by l.place desc limit 1) as until,
        (select seen.place is null from seen) and (select count(*) from examined) < ${EXAMINED_MAX} as all`);
  const [row] = rows;
  if (row === undefined) throw new Error('the purge query returned no row');
  return { lockedIds: row.ids, until: row.until ?? undefined, isAll: row.all };
}

/** Marks the deliveries of locked events and deletes their attempts, unless a delivery is pending by now. */
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
 * Ends, as FAILED and without an attempt, deliveries that have been held or due since before a moment.
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
