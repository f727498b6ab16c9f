import type { Pool } from 'pg';
import type { SealedSigningKeys } from '#modules/outbox';
import { ATTEMPTS_MAX } from './backoff.ts';

/** A delivery whose next attempt has begun, with all that is needed to send it. */
export interface ClaimedDelivery {
  deliveryId: string;
  /** Of the attempt, from 1. */
  number: number;
  /** How old the delivery is. */
  ageMs: number;
  eventId: string;
  body: string;
  sequence: string | null;
  receiverId: string;
  /** One object for all deliveries of a claim that go there. */
  receiver: ClaimedReceiver;
}

export interface ClaimedReceiver extends SealedSigningKeys {
  url: string;
}

export interface DeliveryClaimRequest {
  limit: number;
  /** At most this many of one receiver in flight, those of `inFlight` included. */
  perReceiver: number;
  /** What is in flight in this process, by receiver. */
  inFlight: ReadonlyMap<string, number>;
  /** When nothing is recorded within this time, the delivery is due again: its process has died. */
  leaseMs: number;
  now?: Date | undefined;
}

export interface DeliveryClaimResult {
  /** The attempt of each is counted and on record, and is to be sent now. */
  claimed: ClaimedDelivery[];
  /** Deliveries whose fifth attempt was interrupted. They are FAILED now, and not to be sent. */
  exhausted: ClaimedDelivery[];
  /** Milliseconds until the next of the others is due, or the next open breaker lets one through; null when none waits. */
  dueInMs: number | null;
  /** More may be due that this claim left for want of a free slot or of a probe's result. */
  mayBeMore: boolean;
}

// $1 limit, $2 at most in flight per receiver, $3 and $4 the receivers in flight here and how many each, $5 lease in ms,
// $6 the moment (tests).
//
// `next_due` hops along the index from receiver to receiver, however long their backlogs, and reads the first delivery of
// each; `waiting` adds when the first that is not leased is due, and steps over no more leased ones than are in flight.
// `due_receivers` are those that can be sent to and have something due, with their breakers. `candidates`
// leaves out the open breakers, and lets one probe of a half-open one through, by a lock that skips what another claim
// holds. `levels` shares the free slots: the receivers with the least in flight are filled up to one level, and as much
// stays free for a receiver that comes next. Those above the level get nothing, so slow receivers never hold every slot.
// Only then are deliveries locked. `claimed` changes no column of an index, and so touches none. What it knows of the attempt
// before, it moves to the earlier ones, unless a process of a version before 0030 has written it there. All look-ups are lateral
// with a limit, or by key or ctid, so that the plan does not depend on how large the tables were when it was made.
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
  select n.receiver_id as id, coalesce(f.in_flight, 0) as in_flight, n.due_at, b.open_until, b.probing
    from instant join waiting n on n.due_at <= instant.now
   cross join lateral (select 1 from outbox.receiver r
                        where r.id = n.receiver_id and r.url is not null
                          and not exists (select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
                        limit 1) r
    left join lateral (select open_until, probing from webhooks.breaker where receiver_id = n.receiver_id limit 1) b on true
    left join unnest($3::uuid[], $4::int[]) as f (id, in_flight) on f.id = n.receiver_id),
candidates as (
  select id, in_flight, due_at, $2::int - in_flight as most from due_receivers
   where open_until is null and in_flight < $2::int
  union all
  select r.id, r.in_flight, r.due_at, 1 from instant join due_receivers r on r.open_until <= instant.now
   cross join lateral (select 1 from webhooks.breaker where receiver_id = r.id and open_until <= instant.now
                        limit 1 for update skip locked) b),
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
  select d.at from shares s, instant
   cross join lateral (select ctid as at from webhooks.delivery
                        where receiver_id = s.id and status = 'PENDING' and due_at <= instant.now
                          and (leased_until is null or leased_until <= instant.now)
                        order by due_at limit s.share for update skip locked) d
   limit $1),
claimed as (
  update webhooks.delivery d set
         attempts = least(d.attempts + 1, ${ATTEMPTS_MAX}),
         status = case when d.attempts < ${ATTEMPTS_MAX} then d.status else 'FAILED' end,
         last_error = case when d.attempts < ${ATTEMPTS_MAX} then d.last_error else 'interrupted' end,
         last_attempt_at = case when d.attempts < ${ATTEMPTS_MAX} then instant.now else d.last_attempt_at end,
         last_attempt_error = case when d.attempts < ${ATTEMPTS_MAX} then null else 'interrupted' end,
         last_status_code = null, last_duration_ms = null, last_response = null,
         leased_until = instant.now + $5::int * interval '1 millisecond',
         updated_at = instant.now
    from instant where d.ctid = any (array(select at from locked))
  returning d.id, d.created_at, d.status, d.attempts as number, d.event_id, d.receiver_id,
            old.attempts as before, old.last_attempt_at as at, old.last_status_code as status_code,
            old.last_duration_ms as duration_ms, old.last_attempt_error as error, old.last_response as response),
earlier as (
  insert into webhooks.attempt (delivery_id, number, at, status_code, duration_ms, error, response)
  select id, before, at, status_code, duration_ms, case when duration_ms is null then 'interrupted' else error end, response
    from claimed where before > 0 and status = 'PENDING'
  on conflict do nothing),
probed as (
  update webhooks.breaker set probing = true, open_until = instant.now + $5::int * interval '1 millisecond'
    from instant
   where receiver_id = any (array(select receiver_id from claimed where status = 'PENDING')) and open_until <= instant.now),
outlook as materialized (
  select ceil(extract(epoch from least(
             (select min(n.due_at) from waiting n where n.due_at > instant.now),
             (select min(n.leased_until) from waiting n where n.leased_until > instant.now),
             (select min(r.open_until) from due_receivers r where r.open_until > instant.now)) - instant.now) * 1000)::float8
           as due_in_ms,
         exists (select from due_receivers r where r.open_until is null or r.probing or r.open_until <= instant.now)
           as may_be_more
    from instant)
select outlook.due_in_ms, outlook.may_be_more, x.* from outlook
  left join lateral (
    select c.receiver_id, null::text as url, null::bytea as client_id_sealed, null::bytea as secret_sealed,
           null::bytea as previous_secret_sealed, null::timestamptz as previous_secret_until,
           c.id, c.status, c.number, (extract(epoch from instant.now - c.created_at) * 1000)::float8 as age_ms, c.event_id,
           e.body, e.sequence
      from claimed c, instant
     cross join lateral (select body, sequence from outbox.event where id = c.event_id limit 1) e
    union all
    select r.* from (select distinct receiver_id from claimed) c
     cross join lateral (select id, url, client_id_sealed, secret_sealed, previous_secret_sealed, previous_secret_until,
                                null::uuid, null, null::smallint, null::float8, null::uuid, null, null::bigint
                           from outbox.receiver where id = c.receiver_id limit 1) r) x on true`;

/** A row of the claim: of a delivery, of the receiver of one or more, or of neither when nothing was claimed. */
type ClaimRow = [
  dueInMs: number | null,
  mayBeMore: boolean,
  receiverId: string,
  ...(
    | [...receiver: [string, Buffer, Buffer, Buffer | null, Date | null], deliveryId: null]
    | [...receiver: [null, null, null, null, null], ...DeliveryCells]
  ),
];
type DeliveryCells = [
  deliveryId: string | null,
  status: 'PENDING' | 'FAILED',
  number: number,
  ageMs: number,
  eventId: string,
  body: string,
  sequence: string | null,
];

/**
 * Claims up to `limit` due deliveries of receivers that have a URL and are not paused, those with the least in flight
 * first, and leaves slots free for a receiver that comes next. Each attempt is counted and recorded as begun before this
 * returns, so whatever dies afterwards, no delivery has a sixth one. Claims of several processes never overlap. Of a
 * receiver whose breaker is open nothing is claimed, of a half-open one a single probe.
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
  for (const [, , id, url, clientIdSealed, secretSealed, previousSecretSealed, previousSecretUntil] of rows) {
    if (url !== null)
      receivers.set(id, { url, clientIdSealed, secretSealed, previousSecretSealed, previousSecretUntil });
  }
  const claimed: ClaimedDelivery[] = [];
  const exhausted: ClaimedDelivery[] = [];
  for (const [, , receiverId, , , , , , deliveryId, status, number, ageMs, eventId, body, sequence] of rows) {
    const receiver = receivers.get(receiverId);
    if (deliveryId === null || receiver === undefined) continue;
    const one = { deliveryId, number, ageMs, eventId, body, sequence, receiverId, receiver };
    (status === 'PENDING' ? claimed : exhausted).push(one);
  }
  const [[dueInMs, mayBeMore] = [null, false]] = rows;
  return { claimed, exhausted, dueInMs, mayBeMore };
}
