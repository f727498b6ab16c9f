import { type SQL, sql } from '#drizzle';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { delivery, episode, failure } from './tables.ts';

export type EpisodeKind = (typeof episode.$inferSelect)['kind'];

/** What an episode is of. */
export interface Episode {
  id: string;
  receiverId: string;
  kind: EpisodeKind;
}

/** A delivery that has waited for so long is an old one. */
const BACKLOG_AGE = sql`interval '1 hour'`;

const isPaused = (receiverId: SQL, unless = sql`false`) => sql`exists (
  select from webhooks.pause p where p.receiver_id = ${receiverId} and p.resumed_at is null and not ${unless})`;

/**
 * Begins an episode for each receiver that is in one and has none open of that kind, due to be told; and says which they are.
 * It hops from receiver to receiver, however much waits for each or has failed. An owner's own pause begins none, and while a
 * receiver is paused what waits for it is no backlog. In one order, so that two processes never wait for each other in a circle.
 */
export async function openEpisodes(tx: Tx): Promise<Episode[]> {
  const { rows } = await tx.execute<Episode & Record<string, unknown>>(sql`
    with recursive failed as (
      (select receiver_id, failed_at from ${failure} order by receiver_id, delivery_id limit 1)
      union all
      select x.* from failed f cross join lateral (
        select receiver_id, failed_at from ${failure} where receiver_id > f.receiver_id
         order by receiver_id, delivery_id limit 1) x),
    due as (
      (select receiver_id, due_at from ${delivery} where status = 'PENDING' and due_at is not null
        order by receiver_id, due_at limit 1)
      union all
      select x.* from due d cross join lateral (
        select receiver_id, due_at from ${delivery}
         where status = 'PENDING' and due_at is not null and receiver_id > d.receiver_id
         order by receiver_id, due_at limit 1) x),
    troubled (receiver_id, kind, began_at, detail) as (
      select receiver_id, 'FAILED', failed_at, null from failed
      union all
      select receiver_id, 'FAILING', failing_since, null from webhooks.breaker where open_until is not null
      union all
      select receiver_id, 'PAUSED', paused_at, reason from webhooks.pause where resumed_at is null and paused_by <> 'OWNER'
      union all
      select d.receiver_id, 'BACKLOG', d.due_at, null from due d join outbox.receiver r on r.id = d.receiver_id
       where d.due_at < now() - ${BACKLOG_AGE} and r.url is not null and not ${isPaused(sql`d.receiver_id`)})
    insert into ${episode} (receiver_id, kind, began_at, detail, tell_at)
    select t.*, now() from troubled t
     where exists (select from outbox.receiver r where r.id = t.receiver_id and r.deleted_at is null)
       and not exists (select from ${episode} e
                        where e.receiver_id = t.receiver_id and e.kind = t.kind and e.ended_at is null)
     order by 1, 2
    on conflict (receiver_id, kind) where ended_at is null do nothing
    returning id, receiver_id as "receiverId", kind`);
  return rows;
}

/**
 * Whether the receiver of an open episode `e` is well: it can be sent to, its last attempt did not fail, no delivery waits for
 * another attempt, and none is old. A pause is over with a resume, whatever comes after; of an endpoint that was deleted, all is.
 */
const isWell = sql`case
  when exists (select from outbox.receiver r where r.id = e.receiver_id and r.deleted_at is not null) then true
  when e.kind = 'PAUSED' then not ${isPaused(sql`e.receiver_id`, sql`p.paused_by = 'OWNER'`)}
  else exists (select from outbox.receiver r where r.id = e.receiver_id and r.url is not null)
   and not ${isPaused(sql`e.receiver_id`)}
   and not exists (select from webhooks.breaker b
                    where b.receiver_id = e.receiver_id and (b.failures > 0 or b.open_until is not null))
   and not exists (select from ${delivery} d where d.receiver_id = e.receiver_id and d.status = 'PENDING'
                      and d.due_at > now() and d.due_at < 'infinity')
   and not exists (select from ${delivery} d where d.receiver_id = e.receiver_id and d.status = 'PENDING'
                      and d.due_at < now() - ${BACKLOG_AGE}) end`;

/** Notes of each open episode since when its receiver has been well, and says which have been for so long. */
export async function reviewEpisodes(db: Database, wellAfterS: number): Promise<Episode[]> {
  const { rows } = await db.execute<Episode & Record<string, unknown>>(sql`
    with reviewed as materialized (
      select e.id, e.receiver_id, e.kind, e.well_since, ${isWell} as is_well from ${episode} e where e.ended_at is null),
    changed as (
      update ${episode} e set well_since = case when r.is_well then now() end
        from (select * from reviewed where (well_since is not null) <> is_well order by id) r
       where e.id = r.id and e.ended_at is null)
    select id, receiver_id as "receiverId", kind from reviewed
     where is_well and (kind = 'PAUSED' or well_since <= now() - ${wellAfterS} * interval '1 second')
     order by id`);
  return rows;
}

/** An episode whose receiver is well, and whose that is. */
export interface WellEpisode extends Episode {
  ownerId: string;
  isDeleted: boolean;
}

/** Locks an open episode whose receiver is well by now still. Undefined: it is not, or somebody else has it. */
export async function lockWellEpisode(tx: Tx, id: string): Promise<WellEpisode | undefined> {
  const { rows } = await tx.execute<WellEpisode & Record<string, unknown>>(sql`
    select e.id, e.receiver_id as "receiverId", e.kind, r.deleted_at is not null as "isDeleted",
           coalesce(r.owner_id, (select o.owner_id from outbox.receiver o where o.id = r.default_id)) as "ownerId"
      from ${episode} e join outbox.receiver r on r.id = e.receiver_id
     where e.id = ${id} and e.ended_at is null and ${isWell} for update of e skip locked`);
  return rows[0];
}

/** Ends a locked episode. */
export async function endEpisode(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`update ${episode} set ended_at = now() where id = ${id}`);
}

/** Of its newest deliveries so many are looked at. */
const LOOKED_AT_MAX = 1_000;
/** What has been due for longer waits for a receiver that does not keep up. */
const KEEPS_UP = sql`interval '1 second'`;

/**
 * Whether the receiver of an episode has taken a delivery since that began, and since it last changed or was resumed; and has
 * none that is due and was not sent.
 */
export async function takesDeliveries(tx: Tx, { id }: Episode): Promise<boolean> {
  const { rows } = await tx.execute<{ takes: boolean }>(sql`
    select exists (select from (select status, delivered_at from ${delivery} where receiver_id = e.receiver_id
                                 order by id desc limit ${LOOKED_AT_MAX}) newest
                    where status = 'DELIVERED' and delivered_at >= greatest(e.began_at, r.updated_at, p.resumed_at))
       and not exists (select from ${delivery} where receiver_id = e.receiver_id and status = 'PENDING'
                          and due_at <= now() - ${KEEPS_UP}) as takes
      from ${episode} e join outbox.receiver r on r.id = e.receiver_id
      left join webhooks.pause p on p.receiver_id = e.receiver_id
     where e.id = ${id}`);
  return rows[0]?.takes === true;
}

/**
 * Takes up to `limit` failed deliveries of a receiver, the oldest first, and makes a new one for the event of each: unless it was
 * sent again since, by whomever, or is not kept any more. No event has a second one to the same receiver: the database refuses it.
 *
 * @returns how many it took, and how many it made
 */
export async function replayFailures(
  tx: Tx,
  receiverId: string,
  limit: number,
): Promise<{ taken: number; replayed: number }> {
  const { rows } = await tx.execute<{ taken: number; replayed: number }>(sql`
    with taken as (
      delete from ${failure} where delivery_id = any (array(
        select delivery_id from ${failure} where receiver_id = ${receiverId}
         order by delivery_id limit ${limit} for update skip locked))
      returning delivery_id),
    wanted as materialized (
      select d.id, d.event_id, d.receiver_id from ${delivery} d join outbox.event e on e.id = d.event_id
       where d.id in (select delivery_id from taken) and d.purged_at is null and e.body is not null
         and not exists (select from ${delivery} l
                          where l.event_id = d.event_id and l.receiver_id = d.receiver_id and l.id > d.id)
       order by d.id for key share of e),
    made as (
      insert into ${delivery} (event_id, receiver_id, due_at, replay_of)
      select event_id, receiver_id, webhooks.first_due(receiver_id), id from wanted order by id
      on conflict do nothing
      returning id)
    select (select count(*)::int from taken) as taken, (select count(*)::int from made) as replayed`);
  return rows[0] ?? { taken: 0, replayed: 0 };
}

/** Forgets what has failed at a receiver: nobody is to send it again by itself. */
export async function forgetFailures(tx: Tx, receiverId: string): Promise<void> {
  await tx.execute(sql`delete from ${failure} where receiver_id = ${receiverId}`);
}
