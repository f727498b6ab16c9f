import type { Pool } from 'pg';

/** Automatic attempts of one delivery, ever (interface.md, Events). A resend is another delivery. */
export const ATTEMPTS_MAX = 5;

/** A delivery as the claim left it, with all that is needed to send it. */
export interface ClaimedRow {
  deliveryId: string;
  /** FAILED: its fifth attempt had been interrupted, so there is nothing more to send. */
  status: 'PENDING' | 'FAILED';
  number: number;
  /** How old the delivery is. */
  ageMs: number;
  eventId: string;
  body: string;
  sequence: string | null;
  receiverId: string;
  url: string;
  clientIdSealed: Buffer;
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
}

// $1 limit, $2 at most in flight per receiver, $3 and $4 the receivers in flight here and how many each, $5 lease in ms,
// $6 the moment (tests). `waiting` hops along the index from receiver to receiver, whatever their backlogs, and reads of
// each when its first delivery is due; of those that are due, `ripe` reads the breaker; `room` leaves out the open ones
// and, by a lock that passes over what another claim holds, lets one probe of a half-open one through. `leveled` finds the level
// to which the least busy are filled, leaving as much free for a receiver that comes next: those above it count for nothing,
// so the slow ones can never hold every slot. Only then are deliveries locked. All look-ups are lateral with a limit, or by key or ctid:
// nothing is left to a planner that saw the tables small.
const CLAIM = `
with recursive
instant as (select coalesce($6::timestamptz, now()) as now),
waiting as (
  (select receiver_id, due_at from outbox.delivery where status = 'PENDING' and due_at is not null
    order by receiver_id, due_at limit 1)
  union all
  select d.* from waiting w cross join lateral (
    select receiver_id, due_at from outbox.delivery
     where status = 'PENDING' and due_at is not null and receiver_id > w.receiver_id
     order by receiver_id, due_at limit 1) d),
ripe as materialized (
  select w.receiver_id as id, coalesce(b.busy, 0) as busy, w.due_at, k.open_until, k.probing
    from instant join waiting w on w.due_at <= instant.now
   cross join lateral (select 1 from outbox.receiver r
                        where r.id = w.receiver_id and r.status = 'ACTIVE' and r.url is not null limit 1) r
    left join lateral (select open_until, probing from outbox.breaker where receiver_id = w.receiver_id limit 1) k on true
    left join unnest($3::uuid[], $4::int[]) as b (id, busy) on b.id = w.receiver_id),
room as (
  select id, busy, due_at, $2::int - busy as most from ripe where open_until is null and busy < $2::int
  union all
  select r.id, r.busy, r.due_at, 1 from instant join ripe r on r.open_until <= instant.now
   cross join lateral (select 1 from outbox.breaker where receiver_id = r.id and open_until <= instant.now
                        limit 1 for update skip locked) k),
leveled as (
  select id, busy, due_at, most, min(level) over () as level
    from (select *, ($1::int + sum(busy) over w) / (row_number() over w + 1) as level
            from room window w as (order by busy, due_at rows unbounded preceding)) filled),
chosen as (
  select id, least(most, greatest(level - busy, 1 - busy)) as share
    from leveled
   where greatest(level - busy, 1 - busy) > 0
   order by busy, due_at limit $1),
picked as materialized (
  select d.at from chosen c, instant
   cross join lateral (select ctid as at from outbox.delivery
                        where receiver_id = c.id and status = 'PENDING' and due_at <= instant.now
                        order by due_at limit c.share for update skip locked) d
   limit $1),
claimed as (
  update outbox.delivery d set
         attempts = least(d.attempts + 1, ${ATTEMPTS_MAX}),
         status = case when d.attempts < ${ATTEMPTS_MAX} then d.status else 'FAILED' end,
         last_error = case when d.attempts < ${ATTEMPTS_MAX} then d.last_error else 'interrupted' end,
         last_attempt_at = case when d.attempts < ${ATTEMPTS_MAX} then instant.now else d.last_attempt_at end,
         due_at = instant.now + $5::int * interval '1 millisecond',
         updated_at = instant.now
    from instant where d.ctid = any (array(select at from picked))
  returning d.id, d.created_at, d.status, d.attempts as number, d.event_id, d.receiver_id, old.attempts as before),
interrupted as (
  update outbox.attempt set error = 'interrupted'
   where ctid = any (array(
           select a.at from claimed c cross join lateral (
             select ctid as at from outbox.attempt
              where delivery_id = c.id and number = c.before and duration_ms is null limit 1) a))),
begun as (
  insert into outbox.attempt (delivery_id, number, at)
  select c.id, c.number, instant.now from claimed c, instant where c.status = 'PENDING'),
probed as (
  update outbox.breaker set probing = true, open_until = instant.now + $5::int * interval '1 millisecond'
    from instant
   where receiver_id = any (array(select receiver_id from claimed where status = 'PENDING')) and open_until <= instant.now),
ahead as materialized (
  select ceil(extract(epoch from least(
             (select min(w.due_at) from waiting w where w.due_at > instant.now),
             (select min(r.open_until) from ripe r where r.open_until > instant.now)) - instant.now) * 1000)::float8 as due_in_ms,
         exists (select from ripe r where r.open_until is null or r.probing or r.open_until <= instant.now) as crowded
    from instant)
select ahead.due_in_ms as "dueInMs", ahead.crowded, c.* from ahead
  left join lateral (
    select c.id as "deliveryId", c.status, c.number, c.event_id as "eventId",
           (extract(epoch from instant.now - c.created_at) * 1000)::float8 as "ageMs", e.*, c.receiver_id as "receiverId", r.*
      from claimed c, instant
     cross join lateral (select body, sequence from outbox.event where id = c.event_id limit 1) e
     cross join lateral (select url, client_id_sealed as "clientIdSealed", secret_sealed as "secretSealed",
                                previous_secret_sealed as "previousSecretSealed",
                                previous_secret_until as "previousSecretUntil"
                           from outbox.receiver where id = c.receiver_id limit 1) r) c on true`;

export interface ClaimRequest {
  limit: number;
  /** At most this many of one receiver in flight, those in `busy` included. */
  perReceiver: number;
  /** What is in flight in this process, by receiver. */
  busy: ReadonlyMap<string, number>;
  /** How long a claim holds: when its process dies, the delivery is due again after this. */
  leaseMs: number;
  now?: Date | undefined;
}

export interface ClaimedRows {
  rows: ClaimedRow[];
  dueInMs: number | null;
  crowded: boolean;
}

/** Claims and counts what is due, and says in how many milliseconds more will be; both in one statement. */
export async function claimRows(
  pool: Pool,
  { limit, perReceiver, busy, leaseMs, now }: ClaimRequest,
): Promise<ClaimedRows> {
  type Row = Omit<ClaimedRows, 'rows'> & (ClaimedRow | { deliveryId: null });
  const { rows } = await pool.query<Row>({
    name: 'outbox-claim',
    text: CLAIM,
    values: [limit, perReceiver, [...busy.keys()], [...busy.values()], leaseMs, now ?? null],
  });
  const [first] = rows;
  return {
    rows: rows.filter((row) => row.deliveryId !== null),
    dueInMs: first?.dueInMs ?? null,
    crowded: first?.crowded ?? false,
  };
}
