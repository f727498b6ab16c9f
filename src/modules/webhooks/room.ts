import type { Logger } from 'pino';
import type { Executor } from '#lib/postgres/executor.ts';
import { countOfWaiting, type HowMuchWaits } from '#lib/postgres/lists.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import {
  DAY_MS,
  deletes,
  type Forget,
  type Forgotten,
  type Invariant,
  type IsSample,
  FORGOTTEN_AT_ONCE as LIMIT,
  type Retention,
  type Room,
  type SqlInvariant,
  type Store,
} from '#lib/room.ts';
import { leastIdSince } from './delivery-store.ts';
import { type Ended, endWaiting, forgetDeliveries, purgeDeliveries } from './purge-store.ts';

export type WebhookRetentionDeps = Store & {
  log: Logger;
  webhooks: { retentionD: number; failedRetentionD: number; pendingRetentionD: number; deliveryRetentionD: number };
};

type Work = (deps: WebhookRetentionDeps, before: Date) => Promise<Forgotten>;

/** 0 days: never. */
const after =
  (days: keyof WebhookRetentionDeps['webhooks'], work: Work): Forget<WebhookRetentionDeps> =>
  async (deps, now) => {
    const kept = deps.webhooks[days];
    if (kept === 0) return { rows: 0, isAll: true };
    return work(deps, new Date(now.getTime() - kept * DAY_MS));
  };

const some = (rows: number): Forgotten => ({ rows, isAll: rows < LIMIT });

/** How long each table of this room is kept. */
const retention: readonly Retention<WebhookRetentionDeps>[] = [
  {
    table: 'webhooks.delivery',
    kept: 'WEBHOOK_DELIVERY_RETENTION_D days after the body of its event was deleted (0: for ever); a pending one, for example of a paused receiver, ends as FAILED after WEBHOOK_PENDING_RETENTION_D days (0: never)',
    why: 'shows whether and when a receiver was notified; nothing stays pending for ever',
    forget: {
      waiting: after('pendingRetentionD', async ({ db, log }, before) => {
        const ended = await endWaiting(db, before, LIMIT);
        if (ended > 0) log.warn({ event: 'webhook.expired', ended, before }, 'pending deliveries expired');
        return some(ended);
      }),
      rows: after('deliveryRetentionD', async ({ db }, before) => some(await forgetDeliveries(db, before, LIMIT))),
    },
  },
  {
    table: 'webhooks.attempt',
    kept: 'with the body of its event: WEBHOOK_RETENTION_D days after every endpoint accepted it, WEBHOOK_FAILED_RETENTION_D days after one FAILED (0: for ever)',
    why: 'until then it can be resent; a receiver’s answer may quote the body',
    forget: {
      delivered: after('retentionD', (deps, before) => purgeEnded(deps, 'DELIVERED', before)),
      failed: after('failedRetentionD', async (deps, before) => {
        const forgotten = await purgeEnded(deps, 'FAILED', before);
        if (forgotten.rows > 0)
          deps.log.warn({ event: 'webhook.purged', purged: forgotten.rows, before }, 'failed webhooks were purged');
        return forgotten;
      }),
    },
  },
  {
    table: 'webhooks.failure',
    kept: 'until its delivery is replayed or deleted',
    why: 'replayed automatically when the receiver works again',
  },
  {
    table: 'webhooks.episode',
    kept: '90 days after its end',
    why: 'shows that the owner was notified',
    forget: { rows: deletes({ table: 'webhooks.episode', by: 'ended_at', afterMs: 90 * DAY_MS }) },
  },
  { table: 'webhooks.breaker', kept: 'until its receiver works again', why: 'one row for each failing receiver' },
  { table: 'webhooks.pace', kept: 'as long as its receiver has a rate', why: 'one row for each receiver' },
  { table: 'webhooks.pause', kept: 'as long as its receiver', why: 'the latest pause of each' },
  { table: 'webhooks.release', kept: 'until all held deliveries are due', why: 'one row for each receiver' },
];

/** The position of this process's last purge, for each database. */
const examined: Record<Ended, WeakMap<object, { after: string; since: Date }>> = {
  DELIVERED: new WeakMap(),
  FAILED: new WeakMap(),
};

/**
 * Purges by `purgeDeliveries`. An event that must stay for another endpoint's delivery is skipped and examined again a day
 * later, so that it does not delay those behind it.
 */
async function purgeEnded({ db, transact }: Store, status: Ended, before: Date): Promise<Forgotten> {
  const last = examined[status].get(db);
  const isOfToday = last !== undefined && before.getTime() - last.since.getTime() < DAY_MS;
  const { purged, until, isAll } = await purgeDeliveries(
    { transact },
    { status, before, limit: LIMIT, ...(isOfToday ? { after: last.after } : {}) },
  );
  if (until !== undefined) examined[status].set(db, { after: until, since: isOfToday ? last.since : before });
  return { rows: purged, isAll };
}

const invariants: readonly Invariant[] = [
  {
    // The foreign key is not enforced: it would lock the receiver, whose row all postings of the partner share.
    name: 'events_have_a_receiver',
    promise: 'the receiver of every event exists',
    offenders: ({ id }) => `
      select v.id as event_id, v.event, v.reference, v.receiver_id from outbox.event v
        where ${id('v.id')} and not exists (select from outbox.receiver r where r.id = v.receiver_id)`,
  },
  {
    name: 'receivers_are_audited',
    promise:
      'every endpoint has the URL and the events of its last audited change; without such a change it gets all events',
    offenders: () => `
      select r.id as receiver_id, coalesce(r.owner_id, s.owner_id) as owner_id, r.url, u.url as audited_url, r.events,
          w.events as audited_events
        from outbox.receiver r left join outbox.receiver s on s.id = r.default_id
        left join lateral (
          select e.action, e.after ->> 'webhookUrl' as url from audit.entry e
            where e.target = coalesce(r.owner_id, s.owner_id)::text
              and case when e.action in ('partner.create', 'partner.change', 'webhook.url') then r.default_id is null
                else e.action in ('endpoint.create', 'endpoint.change', 'endpoint.delete')
                  and coalesce(e.after, e.before) ->> 'endpoint' = r.id::text end
            order by e.id desc limit 1) u on true
        left join lateral (
          select nullif(e.after -> 'events', 'null') as events from audit.entry e
            where e.target = coalesce(r.owner_id, s.owner_id)::text and e.action in ('endpoint.create', 'endpoint.change')
              and e.after ->> 'endpoint' = r.id::text
            order by e.id desc limit 1) w on true
        where to_jsonb(r.events) is distinct from w.events
          or case when u.action is null then r.owner_kind = 'PARTNER' or r.default_id is not null
            else r.url is distinct from u.url end`,
  },
  {
    name: 'events_have_deliveries',
    promise:
      'every event has a delivery to each endpoint of its owner that wants it, and to no other; a purged event has all of them or none',
    offenders: ({ id }) => `
      select v.id as event_id, v.event, v.reference, d.id as delivery_id, d.receiver_id from outbox.event v
        join webhooks.delivery d on d.event_id = v.id
        join outbox.receiver a on a.id = v.receiver_id
        left join outbox.receiver r on r.id = d.receiver_id
        where ${id('v.id')} and (coalesce(r.default_id, r.id) = coalesce(a.default_id, a.id)) is not true
      union all
      select v.id, v.event, v.reference, null, r.id from outbox.event v
        cross join lateral (
          select x.* from outbox.receiver x where x.id = v.receiver_id
          union all
          select x.* from outbox.receiver x where x.default_id = v.receiver_id and not webhooks.is_for_one(v.event)) r
        where ${id('v.id')} and r.deleted_at is null
          and (r.events is null or v.event = any (r.events) or webhooks.is_for_one(v.event))
          and (r.events_from is null or v.created_at >= r.events_from)
          and not exists (select from webhooks.delivery d where d.event_id = v.id and d.receiver_id = r.id)
          and (v.body is not null or exists (select from webhooks.delivery d where d.event_id = v.id))`,
  },
  {
    name: 'deliveries_wait_for_one_before_them',
    promise: 'a parked delivery has an earlier pending delivery of its wallet',
    offenders: ({ id }) => `
      select d.id as delivery_id, d.receiver_id, d.lane as wallet, d.position from webhooks.delivery d
        where ${id('d.id')} and d.status = 'PENDING' and d.due_at = 'infinity' and not exists (
          select from webhooks.delivery p where p.receiver_id = d.receiver_id and p.lane = d.lane and p.status = 'PENDING'
            and p.position < d.position)`,
  },
  {
    name: 'deliveries_are_their_attempts',
    promise:
      'a delivery has as many attempts as are recorded, and is DELIVERED exactly if the last one was answered with 200 or 201; a purged delivery has none',
    offenders: ({ id }) => `
      select d.id as delivery_id, d.event_id, d.status, d.attempts, count(a.number) as recorded, d.last_status_code, d.delivered_at,
          d.purged_at
        from webhooks.delivery d left join (select id, body is not null as has_body from outbox.event offset 0) v on v.id = d.event_id
        left join webhooks.attempt a on a.delivery_id = d.id
        where ${id('d.id')}
        group by d.id, v.id, v.has_body having v.id is null or (d.status = 'DELIVERED') <> (d.delivered_at is not null)
          or (d.purged_at is null) <> v.has_body
          or (d.status <> 'PENDING' and d.attempts = 0 and coalesce(d.last_error, '') not in ('endpoint deleted', 'waited too long'))
          or (d.attempts = 0) <> (d.last_attempt_at is null)
          or case when d.purged_at is not null then d.status = 'PENDING' or count(a.number) > 0 or d.last_duration_ms is not null
            else count(a.number) <> greatest(d.attempts - 1, 0) or coalesce(max(a.number), 0) <> greatest(d.attempts - 1, 0)
              or (d.status = 'DELIVERED' and (d.last_status_code in (200, 201)) is not true) end`,
  },
  {
    name: 'delivery_triggers_are_on',
    promise:
      'the triggers that create deliveries, protect events from changes, release parked deliveries and record failures exist and are enabled',
    offenders: () => `
      select w.relation, w.trigger, t.tgenabled as state
        from (values ('outbox.event', 'create_deliveries'), ('outbox.event', 'event_immutable'), ('outbox.event', 'event_kept'),
          ('webhooks.delivery', 'next_in_lane'), ('webhooks.delivery', 'note_failure')) w(relation, trigger)
        left join pg_trigger t on t.tgrelid = to_regclass(w.relation) and t.tgname = w.trigger
        where t.tgenabled is null or t.tgenabled not in ('O', 'A')`,
  },
];

/** Deliveries due now or later. */
export const dueDeliveries = countOfWaiting(
  'webhooks.due-count',
  `select due_at as at from webhooks.delivery where status = 'PENDING' and due_at is not null`,
);

/** Deliveries held for a receiver that is paused or has no URL. */
export const heldDeliveries = countOfWaiting(
  'webhooks.held-count',
  `select created_at as at from webhooks.delivery where status = 'PENDING' and due_at is null`,
);

const failedSince = countOfWaiting(
  'webhooks.failed-count',
  `select created_at as at from webhooks.delivery where status = 'FAILED' and id >= $1::uuid and created_at >= $2`,
);

/** FAILED deliveries, of those created since a moment. */
export const failedDeliveries = async (db: Executor, since: Date): Promise<HowMuchWaits> =>
  failedSince(db, [leastIdSince(since), since.toISOString()]);

const exists = 'exists (select from outbox.receiver r where r.id = receiver_id and r.deleted_at is null)';

/** Paused receivers. */
export const pausedReceivers = countOfWaiting(
  'webhooks.paused-count',
  `select paused_at as at from webhooks.pause where resumed_at is null and ${exists}`,
);

/** Receivers whose breaker is open or half open. */
export const failingReceivers = countOfWaiting(
  'webhooks.failing-count',
  `select failing_since as at from webhooks.breaker where open_until is not null and ${exists}`,
);

const oldest = preparedText<{ since: string | null }>(
  'webhooks.oldest-due',
  `select to_json(min(d.due_at)) #>> '{}' as since from webhooks.oldest_due() d
     join outbox.receiver r on r.id = d.receiver_id and r.url is not null
    where d.due_at <= now()
      and not exists (select from webhooks.pause p where p.receiver_id = d.receiver_id and p.resumed_at is null)
      and not exists (select from webhooks.breaker b where b.receiver_id = d.receiver_id and b.open_until is not null)`,
);

/** The due time of the oldest due delivery, without paused and failing receivers. */
export async function oldestDue(db: Executor): Promise<Date | undefined> {
  const since = (await oldest(db, []))[0]?.since ?? undefined;
  return since === undefined ? undefined : new Date(since);
}

/** Events of one room that an endpoint gets only if it names them. */
interface Published {
  /** The prefix of the events' names, e.g. `payout.`. */
  prefix: string;
  /**
   * A query of the changes that these events report: `owner_id`, `reference`, `event`, `at` (null: has not happened) and `most`, the
   * most events for one endpoint.
   */
  changes: (around: (column: string) => string) => string;
}

/** Endpoints that got more events than changes, or none although they named the event since before the change. */
export const publishedOnce =
  ({ prefix, changes }: Published, isSample: IsSample): SqlInvariant['offenders'] =>
  ({ moment, around }) =>
    `
    select m.receiver_id, m.event, m.reference, sum(m.due) as due, sum(m.most) as most, sum(m.published) as published from (
        select r.id as receiver_id, c.event, c.reference, c.most, 0 as published, false as looked_at,
            (r.deleted_at is null and c.event = any (r.events) and r.updated_at < c.at
              and ${moment('c.at')})::int as due
          from (${changes(around)}) c
          join outbox.receiver d on d.owner_id = c.owner_id
          join outbox.receiver r on r.id = d.id or r.default_id = d.id
        union all
        select v.receiver_id, v.event, v.reference, 0, 1, ${moment('v.created_at')}, 0 from outbox.event v
          where starts_with(v.event, '${prefix}') and ${around('v.created_at')} and not ${isSample('v.reference')}) m
      group by 1, 2, 3
      having sum(m.published) < sum(m.due) or (bool_or(m.looked_at) and sum(m.published) > sum(m.most))`;

export const room: Room<WebhookRetentionDeps> = { retention, invariants: () => invariants };
