import { and, eq, inArray, isNull, lte, type SQL, sql } from '#drizzle';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { ownerOf, receiver } from '#modules/outbox';
import { delivery, episode, failure } from './tables.ts';

export type EpisodeKind = (typeof episode.$inferSelect)['kind'];

/** A time in which a receiver does not accept its deliveries. */
export interface Episode {
  id: string;
  receiverId: string;
  kind: EpisodeKind;
}

/** Deliveries that have been due for longer are a backlog. */
const BACKLOG_AGE = sql`interval '1 hour'`;

const isPaused = (receiverId: SQL, unless = sql`false`) => sql`exists (
  select from webhooks.pause p where p.receiver_id = ${receiverId} and p.resumed_at is null and not ${unless})`;

/**
 * Opens an episode, with an alert due, for each receiver in trouble that has none open of that kind, and returns the new ones. Hops
 * from receiver to receiver by the index, however many deliveries each has. An owner's own pause opens none, and a paused
 * receiver has no backlog. Inserts in one order, so that two processes cannot deadlock.
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
 * Whether the receiver of an open episode `e` works: it has a URL and no pause, its last attempt succeeded, no delivery waits for
 * a retry, and there is no backlog. A PAUSED episode ends with the resume, and every episode with the deletion of the endpoint.
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

/** Records since when the receiver of each open episode works; returns the episodes that can end. */
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

/** An episode whose receiver works, with the owner. */
export interface WellEpisode extends Episode {
  ownerId: string;
  isDeleted: boolean;
}

/** Locks an open episode if its receiver still works. Undefined: it does not, or another process has the lock. */
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

/** How many of the newest deliveries are read. */
const NEWEST_MAX = 1_000;

/** Deliveries due for longer mean that the receiver does not keep up. */
const KEEPS_UP = sql`interval '1 second'`;

/**
 * Whether the receiver has accepted a delivery since the episode began and since it was changed or resumed, and has no overdue
 * delivery.
 */
export async function takesDeliveries(tx: Tx, { id }: Episode): Promise<boolean> {
  const { rows } = await tx.execute<{ takes: boolean }>(sql`
    select exists (select from (select status, delivered_at from ${delivery} where receiver_id = e.receiver_id
                                 order by id desc limit ${NEWEST_MAX}) newest
                    where status = 'DELIVERED' and delivered_at >= greatest(e.began_at, r.updated_at, p.resumed_at))
       and not exists (select from ${delivery} where receiver_id = e.receiver_id and status = 'PENDING'
                          and due_at <= now() - ${KEEPS_UP}) as takes
      from ${episode} e join outbox.receiver r on r.id = e.receiver_id
      left join webhooks.pause p on p.receiver_id = e.receiver_id
     where e.id = ${id}`);
  return rows[0]?.takes === true;
}

/**
 * Takes up to `limit` failed deliveries of a receiver, the oldest first, and creates a new delivery of each event, unless it was
 * resent since or purged. A unique index refuses a second one of the same event.
 *
 * @returns how many were taken, and how many created
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

/** Forgets the failed deliveries of a receiver: they are not replayed automatically. */
export async function forgetFailures(tx: Tx, receiverId: string): Promise<void> {
  await tx.execute(sql`delete from ${failure} where receiver_id = ${receiverId}`);
}

/** The data of an episode's events. */
export interface EpisodeFacts {
  id: string;
  kind: string;
  receiverId: string;
  ownerId: string;
  /** Of its URL, whose path may be a secret. Empty without a URL. */
  host: string;
  beganAt: Date;
  /** Now. */
  at: Date;
  /** For a pause. */
  pausedBy: string;
  reason: string;
  /** The first failed delivery, and how many have failed, a thousand at most. */
  failed: { DeliveryId: string; Event: string; Reference: string; LastError: string; Failed: number } | null;
}

const FAILED_MAX = 1_000;

type Row = Omit<EpisodeFacts, 'host'> & { url: string | null };

const selectFacts = preparedText<Row>(
  'webhooks.episode-facts',
  `select e.id, e.kind, r.id as "receiverId", o.owner_id as "ownerId", r.url, e.began_at as "beganAt",
          date_trunc('milliseconds', now()) as at,
          case p.paused_by when 'OPERATOR' then 'OPERATOR' else 'SYSTEM' end as "pausedBy", coalesce(e.detail, '') as reason,
          (select jsonb_build_object('DeliveryId', d.id, 'Event', v.event, 'Reference', v.reference,
                    'LastError', coalesce(d.last_error, ''), 'Failed', (select count(*) from (
                      select from webhooks.failure where receiver_id = r.id limit ${FAILED_MAX}) noted))
             from webhooks.failure f join webhooks.delivery d on d.id = f.delivery_id join outbox.event v on v.id = d.event_id
            where f.receiver_id = r.id order by f.delivery_id limit 1) as failed
     from webhooks.episode e join outbox.receiver r on r.id = e.receiver_id
     join outbox.receiver o on o.id = coalesce(r.default_id, r.id)
     left join webhooks.pause p on p.receiver_id = r.id
    where e.id = any ($1::uuid[]) and o.others > 0 and r.deleted_at is null
    order by e.id`,
);

/** Of those episodes whose owner has several endpoints; none of a deleted endpoint. */
export async function selectEpisodeFacts(tx: Tx, ids: readonly string[]): Promise<EpisodeFacts[]> {
  if (ids.length === 0) return [];
  const rows = await selectFacts(tx, [ids]);
  return rows.map(({ url, ...facts }) => ({ ...facts, host: url === null ? '' : new URL(url).host }));
}

/** An episode whose owner is due to be notified by mail. */
export interface EpisodeAlert {
  id: string;
  kind: EpisodeKind;
  beganAt: Date;
  /** The reason of a pause. */
  detail: string | null;
  /** Attempts to notify, including this one. */
  tries: number;
  owner: { ownerId: string; ownerKind: 'PARTNER' | 'APPLICATION' };
  /** Of the receiver's URL, whose path may be a secret. */
  host: string | undefined;
  /** Failed deliveries of a FAILED episode, a thousand at most. */
  failed: number;
}

/**
 * Takes up to `limit` due alerts. No process takes them again unless `retryAlert` makes them due: after a crash it is unknown
 * whether the mail went out, and an owner is mailed at most once.
 */
export async function takeAlerts(db: Database, limit: number): Promise<EpisodeAlert[]> {
  const due = db
    .select({ id: episode.id })
    .from(episode)
    .where(lte(episode.tellAt, sql`now()`))
    .orderBy(episode.tellAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const taken = await db
    .update(episode)
    .set({ tellAt: null, tries: sql`${episode.tries} + 1` })
    .where(inArray(episode.id, due))
    .returning();
  return Promise.all(
    taken.map(async ({ id, kind, beganAt, detail, tries, receiverId }) => {
      const { url, ...owner } = await selectOwner(db, receiverId);
      const failed = kind === 'FAILED' ? await countFailed(db, receiverId) : 0;
      return { id, kind, beganAt, detail, tries, owner, host: url === null ? undefined : new URL(url).host, failed };
    }),
  );
}

async function selectOwner(db: Executor, receiverId: string): Promise<EpisodeAlert['owner'] & { url: string | null }> {
  const [found] = await db
    .select({ ownerId: ownerOf(receiver), ownerKind: receiver.ownerKind, url: receiver.url })
    .from(receiver)
    .where(eq(receiver.id, receiverId));
  if (found === undefined) throw new Error('an episode has a receiver');
  return found;
}

async function countFailed(db: Executor, receiverId: string): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(failure)
    .where(eq(failure.receiverId, receiverId))
    .limit(FAILED_MAX)
    .as('some');
  return db.$count(some);
}

/** Makes the alert due again, when the mail certainly did not go out. */
export async function retryAlert(db: Executor, id: string, inMs: number): Promise<void> {
  const tellAt = sql`now() + ${inMs} * interval '1 millisecond'`;
  await db
    .update(episode)
    .set({ tellAt })
    .where(and(eq(episode.id, id), isNull(episode.toldAt)));
}

/** Records that the owner was notified. */
export async function markAlerted(db: Executor, id: string): Promise<void> {
  await db.update(episode).set({ toldAt: sql`now()` }).where(eq(episode.id, id));
}
