import type { Pool } from 'pg';
import { rowInSql } from '#lib/crypto/routing-facts.ts';
import { RECEIVER_ROUTE, type RouteInSql, type SealedSigningKeys } from '#modules/outbox';
import { ATTEMPTS_MAX } from './outcome.ts';

/** A delivery whose next attempt has begun, with all that is needed to send it. */
export interface ClaimedDelivery {
  deliveryId: string;
  /** Of the attempt, from 1. */
  number: number;
  /** The age of the delivery. */
  ageMs: number;
  eventId: string;
  body: string;
  sequence: string | null;
  /** The trace that it continues. */
  traceparent: string | null;
  receiverId: string;
  /** One object for all deliveries of a claim to this receiver. */
  receiver: ClaimedReceiver;
  /** It has a lane: when it ends, the next delivery of the lane may be due. */
  inLane: boolean;
  /** The receiver that the event was written for: this one, or the default endpoint of its owner. */
  eventOf: string;
}

/** As stored. Verify it before sending to it (`urlOf`). */
export interface ClaimedReceiver extends SealedSigningKeys, RouteInSql {}

export interface DeliveryClaimRequest {
  limit: number;
  /** The most in flight for one receiver, `inFlight` included. */
  perReceiver: number;
  /** In flight in this process, by receiver. */
  inFlight: ReadonlyMap<string, number>;
  /** Without a recorded result within this time, the delivery is due again: its process has died. */
  leaseMs: number;
  now?: Date | undefined;
}

export interface DeliveryClaimResult {
  /** To be sent now: each attempt is counted and recorded. */
  claimed: ClaimedDelivery[];
  /** FAILED now, not to be sent: their fifth attempt was interrupted. */
  exhausted: ClaimedDelivery[];
  /** Milliseconds until the next delivery is due or the next breaker lets a probe through; null: none is pending. */
  dueInMs: number | null;
  /** How many were parked behind an earlier delivery of their lane. */
  parked: number;
  /** More may be due that found no free slot, or that depend on the result of a probe. */
  mayBeMore: boolean;
}

/** A row of the claim: a delivery, a receiver of deliveries, or neither when nothing was claimed. */
type ClaimRow = [
  dueInMs: number | null,
  mayBeMore: boolean,
  parked: number,
  receiverId: string,
  ...(
    | [...receiver: [...RouteCells, Buffer, Buffer, Buffer | null, Date | null, Buffer | null], deliveryId: null]
    | [...receiver: [null, null, null, null, null, null, null], ...DeliveryCells]
  ),
];

type RouteCells = [route: RouteInSql['route'], standing: RouteInSql['standing']];

type DeliveryCells = [
  deliveryId: string | null,
  status: 'PENDING' | 'FAILED',
  number: number,
  ageMs: number,
  eventId: string,
  body: string,
  sequence: string | null,
  inLane: boolean,
  traceparent: string | null,
  eventOf: string,
];

/**
 * Claims up to `limit` due deliveries of receivers that have a URL and are not paused, those with the least in flight
 * first, and leaves slots free for the next receiver. Each attempt is counted and recorded before this returns, so a crash
 * can never cause a sixth attempt. Claims of several processes never overlap. An open breaker lets nothing through, a
 * half-open one a single probe, a rate no more than it allows, and a lane only its earliest pending delivery.
 */
export async function claimDeliveries(
  pool: Pool,
  { limit, perReceiver, inFlight, leaseMs, now }: DeliveryClaimRequest,
): Promise<DeliveryClaimResult> {
  const { rows } = await pool.query<ClaimRow>({
    name: 'webhooks-claim',
    text: CLAIM,
    values: [limit, perReceiver, [...inFlight.keys()], [...inFlight.values()], leaseMs, now ?? null],
    rowMode: 'array',
  });
  const receivers = new Map<string, ClaimedReceiver>();
  for (const [
    ,
    ,
    ,
    id,
    route,
    standing,
    clientIdSealed,
    secretSealed,
    previousSecretSealed,
    previousSecretUntil,
    headersSealed,
  ] of rows) {
    if (route !== null)
      receivers.set(id, {
        id,
        route,
        standing,
        clientIdSealed,
        secretSealed,
        previousSecretSealed,
        previousSecretUntil,
        headersSealed,
      });
  }
  const claimed: ClaimedDelivery[] = [];
  const exhausted: ClaimedDelivery[] = [];
  for (const [
    ,
    ,
    ,
    receiverId,
    ,
    ,
    ,
    ,
    ,
    ,
    ,
    deliveryId,
    status,
    number,
    ageMs,
    eventId,
    body,
    sequence,
    inLane,
    traceparent,
    eventOf,
  ] of rows) {
    const receiver = receivers.get(receiverId);
    if (deliveryId === null || receiver === undefined) continue;
    const sent = { eventId, body, sequence, traceparent, eventOf };
    const one = { deliveryId, number, ageMs, ...sent, receiverId, receiver, inLane };
    (status === 'PENDING' ? claimed : exhausted).push(one);
  }
  const [[dueInMs, mayBeMore, parked] = [null, false, 0]] = rows;
  return { claimed, exhausted, dueInMs, parked, mayBeMore };
}

/**
 * Hands back claimed deliveries that were not sent: the attempt does not count.
 *
 * @param inMs when they are due again
 * @returns how many
 */
export async function handBack(
  pool: Pool,
  claimed: readonly Pick<ClaimedDelivery, 'deliveryId' | 'number'>[],
  inMs = 0,
): Promise<number> {
  if (claimed.length === 0) return 0;
  const values = [claimed.map(({ deliveryId }) => deliveryId), claimed.map(({ number }) => number), inMs];
  const { rows } = await pool.query<{ count: number }>({ name: 'webhooks-hand-back', text: HAND_BACK, values });
  return rows[0]?.count ?? 0;
}

/** The burst of a receiver with a rate, in SQL: a tenth of a second. */
const BURST = 'greatest(1, rate / 10.0)';

// $1 limit, $2 at most in flight per receiver, $3 and $4 the receivers in flight here and how many each, $5 lease in ms,
// $6 the moment (tests).
//
// `next_due` hops along the index from receiver to receiver, however long their backlogs, and reads the first delivery of
// each; `waiting` adds when the first unleased one is due, and steps over no more leased ones than are in flight.
// `due_receivers` are those that can be sent to and have a due delivery, with their breakers. `candidates` leaves out open
// breakers, lets one probe of a half-open one through, by a lock that skips rows another claim holds, and likewise takes no
// more of a receiver with a rate than the rate allows now. `levels` shares the free slots: the receivers with the least in
// flight are filled up to one level, and as much stays free for the next receiver. Those above the level get nothing, so slow
// receivers never hold every slot. Only then are deliveries locked. `behind` are those with an earlier one of their lane
// pending: if that one could be locked, so that it cannot end meanwhile, they are parked until its end makes the next one due
// (webhooks.next_in_lane); else they are left for the next claim. `claimed` changes no indexed column. It moves the record of
// the previous attempt to webhooks.attempt, unless a process older than version 0030 has written it there. All look-ups are
// lateral with a limit, or by key: with the planner's settings of `worker/deliver-webhooks.ts` the plan does not depend on the
// sizes of the tables at planning time.
const CLAIM = `
with recursive
instant as (select coalesce($6::timestamptz, now()) as now),
next_due as (
  (select receiver_id, leased_until from webhooks.delivery where status = 'PENDING' and due_at is not null
    order by receiver_id, due_at limit 1)
  union all
  select d.* from next_due n cross join lateral (
    select receiver_id, leased_until from webhooks.delivery
     where status = 'PENDING' and due_at is not null and receiver_id > n.receiver_id
     order by receiver_id, due_at limit 1) d),
waiting as materialized (
  select n.receiver_id, n.leased_until, d.due_at
    from next_due n
    left join lateral (select due_at from webhooks.delivery
                        where receiver_id = n.receiver_id and status = 'PENDING' and due_at is not null
                          and (leased_until is null or leased_until <= (select now from instant))
                        order by due_at limit 1) d on true),
due_receivers as materialized (
  select n.receiver_id as id, coalesce(f.in_flight, 0) as in_flight, n.due_at, b.open_until, b.probing, p.rate, p.next_at
    from instant join waiting n on n.due_at <= instant.now
   cross join lateral (select 1 from outbox.receiver r
                        where r.id = n.receiver_id and r.url is not null
                          and not exists (select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
                        limit 1) r
    left join lateral (select open_until, probing from webhooks.breaker where receiver_id = n.receiver_id limit 1) b on true
    left join lateral (select rate, counts_from + interval '1 second' / rate as next_at from webhooks.pace
                        where receiver_id = n.receiver_id limit 1) p on true
    left join unnest($3::uuid[], $4::int[]) as f (id, in_flight) on f.id = n.receiver_id),
candidates as (
  select id, in_flight, due_at, $2::int - in_flight as most from due_receivers
   where open_until is null and in_flight < $2::int and rate is null
  union all
  select r.id, r.in_flight, r.due_at, 1 from instant join due_receivers r on r.open_until <= instant.now and r.in_flight < $2::int
   cross join lateral (select 1 from webhooks.breaker where receiver_id = r.id and open_until <= instant.now
                        limit 1 for update skip locked) b
  union all
  select r.id, r.in_flight, r.due_at, least($2::int - r.in_flight, p.allowed) from due_receivers r
   cross join lateral (select floor(least(${BURST}, extract(epoch from (select now from instant) - counts_from) * rate) + 0.001)::int as allowed
                         from webhooks.pace where receiver_id = r.id limit 1 for update skip locked) p
   where r.rate is not null and r.open_until is null and r.in_flight < $2::int and p.allowed > 0),
levels as (
  select id, in_flight, due_at, most, min(level) over () as level
    from (select *, ($1::int + sum(in_flight) over w) / (row_number() over w + 1) as level
            from candidates window w as (order by in_flight, due_at rows unbounded preceding)) filled),
shares as (
  select id, least(most, greatest(level - in_flight, 1 - in_flight)) as share
    from levels
   where greatest(level - in_flight, 1 - in_flight) > 0
   order by in_flight, due_at limit $1),
locked as materialized (
  select d.* from shares s, instant
   cross join lateral (select id, receiver_id, lane, position from webhooks.delivery
                        where receiver_id = s.id and status = 'PENDING' and due_at <= instant.now
                          and (leased_until is null or leased_until <= instant.now)
                        order by due_at limit s.share for update skip locked) d
   limit $1),
behind as materialized (
  select l.id, k.is_waiting from locked l
   cross join lateral (select id from webhooks.delivery
                        where receiver_id = l.receiver_id and lane = l.lane and status = 'PENDING' and position < l.position
                        order by position limit 1) p
    left join lateral (select true as is_waiting from webhooks.delivery where id = p.id and status = 'PENDING'
                        for share skip locked) k on true
   where l.lane is not null),
parked as (
  update webhooks.delivery set due_at = 'infinity' where id = any (array(select id from behind where is_waiting)) returning 1),
claimed as (
  update webhooks.delivery d set
         attempts = least(d.attempts + 1, ${ATTEMPTS_MAX}),
         status = case when d.attempts < ${ATTEMPTS_MAX} then d.status else 'FAILED' end,
         last_error = case when d.attempts < ${ATTEMPTS_MAX} then d.last_error else 'interrupted' end,
         last_attempt_at = case when d.attempts < ${ATTEMPTS_MAX} then instant.now else d.last_attempt_at end,
         last_url = case when d.attempts < ${ATTEMPTS_MAX} then (select url from outbox.receiver where id = d.receiver_id) else d.last_url end,
         last_attempt_error = case when d.attempts < ${ATTEMPTS_MAX} then null else 'interrupted' end,
         last_status_code = null, last_duration_ms = null, last_response = null,
         leased_until = instant.now + $5::int * interval '1 millisecond',
         updated_at = instant.now
    from instant where d.id = any (array(select id from locked except all select id from behind))
  returning d.id, d.created_at, d.status, d.attempts as number, d.event_id, d.receiver_id, d.lane is not null as in_lane, d.traceparent,
            old.attempts as before, old.last_attempt_at as at, old.last_status_code as status_code,
            old.last_duration_ms as duration_ms, old.last_attempt_error as error, old.last_response as response,
            old.last_url as sent_to),
earlier as (
  insert into webhooks.attempt (delivery_id, number, at, status_code, duration_ms, error, response, url)
  select id, before, at, status_code, duration_ms, case when duration_ms is null then 'interrupted' else error end, response, sent_to
    from claimed where before > 0 and status = 'PENDING'
  on conflict do nothing),
probed as (
  update webhooks.breaker set probing = true, open_until = instant.now + $5::int * interval '1 millisecond'
    from instant
   where receiver_id = any (array(select receiver_id from claimed where status = 'PENDING')) and open_until <= instant.now),
paced as (
  update webhooks.pace p
     set counts_from = greatest(p.counts_from, instant.now - ${BURST} * interval '1 second' / p.rate) + c.number * interval '1 second' / p.rate
    from instant, (select receiver_id, count(*) as number from claimed where status = 'PENDING' group by receiver_id) c
   where p.receiver_id = c.receiver_id),
outlook as materialized (
  select ceil(extract(epoch from least(
             (select min(n.due_at) from waiting n where n.due_at > instant.now and n.due_at < 'infinity'),
             (select min(n.leased_until) from waiting n where n.leased_until > instant.now),
             (select min(r.next_at) from due_receivers r where r.next_at > instant.now),
             (select min(r.open_until) from due_receivers r where r.open_until > instant.now)) - instant.now) * 1000)::float8
           as due_in_ms,
         exists (select from due_receivers r where (r.open_until is null and (r.next_at > instant.now) is not true)
             or r.probing or r.open_until <= instant.now) as may_be_more,
         (select count(*)::int from parked) as parked
    from instant)
select outlook.due_in_ms, outlook.may_be_more, outlook.parked, x.* from outlook
  left join lateral (
    select c.receiver_id, null::json as route, null::json as standing, null::bytea as client_id_sealed, null::bytea as secret_sealed,
           null::bytea as previous_secret_sealed, null::timestamptz as previous_secret_until, null::bytea as headers_sealed,
           c.id, c.status, c.number, (extract(epoch from instant.now - c.created_at) * 1000)::float8 as age_ms, c.event_id,
           e.body, e.sequence, c.in_lane, c.traceparent, e.receiver_id as event_of
      from claimed c, instant
     cross join lateral (select body, sequence, receiver_id from outbox.event where id = c.event_id limit 1) e
    union all
    select r.* from (select distinct receiver_id from claimed) c
     cross join lateral (select f.id, ${rowInSql(RECEIVER_ROUTE, 'f')}, s.route, f.client_id_sealed, f.secret_sealed,
                                f.previous_secret_sealed, f.previous_secret_until, f.headers_sealed,
                                null::uuid, null, null::smallint, null::float8, null::uuid, null, null::bigint, null::boolean, null, null::uuid
                           from outbox.receiver f
                           left join lateral (select ${rowInSql(RECEIVER_ROUTE, 'd')} as route from outbox.receiver d
                                               where d.id = f.default_id limit 1) s on true
                          where f.id = c.receiver_id limit 1) r) x on true`;

// $1 and $2 the deliveries and the numbers of their attempts, $3 in how many milliseconds they are due. Locks deliveries before
// breakers, as recording does. The record of the previous attempt moves from webhooks.attempt back into the delivery. A delivery
// that has moved on does not change.
const HAND_BACK = `
with held as materialized (
  select d.id, d.receiver_id, d.attempts from webhooks.delivery d
    join unnest($1::uuid[], $2::int[]) as x (id, number) on x.id = d.id and x.number = d.attempts
   where d.status is not distinct from 'PENDING' and d.last_duration_ms is null and d.last_attempt_error is null
   order by d.id for update of d),
latest as (
  delete from webhooks.attempt a using held h where a.delivery_id = h.id and a.number = h.attempts - 1 returning a.*),
handed_back as (
  update webhooks.delivery d
     set attempts = d.attempts - 1, leased_until = null,
         due_at = case when $3::int > 0 then now() + $3::int * interval '1 millisecond' else d.due_at end, last_attempt_at = l.at, last_status_code = l.status_code,
         last_duration_ms = l.duration_ms, last_attempt_error = l.error, last_response = l.response, last_url = l.url, updated_at = now()
    from held h left join latest l on l.delivery_id = h.id where d.id = h.id
  returning d.id),
probe_again as (
  update webhooks.breaker set probing = false, open_until = now()
   where probing and receiver_id = any (array(select receiver_id from held)))
select count(*)::int as count from handed_back`;
