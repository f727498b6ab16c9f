import { and, asc, count, eq, gt, isNull, notExists, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import { type Executor, markPlannedForValues, PLAN_FOR_VALUES, type Tx } from '#lib/postgres/executor.ts';
import { shaped } from '#lib/postgres/lists.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { event, receiver } from '#modules/outbox';
import { isReceiver, matches, type ReceiverFilter } from './delivery-store.ts';
import { delivery } from './tables.ts';

const later = alias(delivery, 'later');

/** Matching deliveries that are not purged, of events after `after` without a later delivery to the same endpoint. */
const replayable = (db: Executor, filter: ReceiverFilter, after: string | undefined) =>
  and(
    matches(filter),
    isNull(delivery.purgedAt),
    isNull(receiver.deletedAt),
    after === undefined ? undefined : gt(event.id, after),
    notExists(
      db
        .select({ one: sql`1` })
        .from(later)
        .where(
          and(
            eq(later.eventId, delivery.eventId),
            eq(later.receiverId, delivery.receiverId),
            gt(later.id, delivery.id),
          ),
        ),
    ),
  );

export interface ReplayableRow {
  deliveryId: string;
  eventId: string;
  receiverId: string;
}

const columns = { deliveryId: delivery.id, eventId: event.id, receiverId: receiver.id };

const oldestFirst = (db: Executor, filter: ReceiverFilter, after: string | undefined, limit: number) =>
  db
    .select(columns)
    .from(delivery)
    .innerJoin(event, eq(event.id, delivery.eventId))
    .innerJoin(receiver, isReceiver)
    .where(replayable(db, filter, after))
    .orderBy(asc(event.id), asc(delivery.id))
    .limit(limit);

/** At most `limit`, the oldest event first. */
export async function selectReplayable(
  db: Executor,
  filter: ReceiverFilter,
  after: string | undefined,
  limit: number,
): Promise<ReplayableRow[]> {
  return shaped(db, 'webhooks.replayable', oldestFirst(db, filter, after, limit));
}

/** The same, with their events locked against purging; events that are being purged are skipped. */
export async function lockReplayable(
  tx: Tx,
  filter: ReceiverFilter,
  after: string | undefined,
  limit: number,
): Promise<ReplayableRow[]> {
  const replayed = oldestFirst(tx, filter, after, limit).for('key share', { skipLocked: true });
  return shaped(tx, 'webhooks.lock-replayable', replayed);
}

/** Each counted row costs a look-up among the later deliveries of its event. */
const COUNTED_MAX = 10_000;

/** The number of matching deliveries, 10000 at most. */
export async function countReplayable(
  db: Executor,
  filter: ReceiverFilter,
  after: string | undefined,
): Promise<number> {
  const counted = oldestFirst(db, filter, after, COUNTED_MAX).as('counted');
  const [total] = await shaped(db, 'webhooks.count-replayable', db.select({ count: count() }).from(counted));
  return total?.count ?? 0;
}

/**
 * Takes the lock against other replays of this owner, or of all owners, until the transaction ends; false if one is running. It
 * does not wait, because a waiting replay would hold a connection. The transaction's next reads are planned for their values.
 */
export async function takeReplayLock(tx: Tx, ownerId: string | undefined): Promise<boolean> {
  markPlannedForValues(tx);
  const [row] = await (ownerId === undefined ? lockAll(tx, []) : lockOwn(tx, [ownerId]));
  return row?.taken === true;
}

const lockAll = preparedText<{ taken: boolean }>(
  'webhooks.lock-all-replays',
  `select pg_try_advisory_xact_lock(hashtext('webhooks.replay'), 0) as taken, ${PLAN_FOR_VALUES}`,
);
const lockOwn = preparedText<{ taken: boolean }>(
  'webhooks.lock-replays',
  `select pg_try_advisory_xact_lock_shared(hashtext('webhooks.replay'), 0)
    and pg_try_advisory_xact_lock(hashtext('webhooks.replay'), hashtext($1)) as taken, ${PLAN_FOR_VALUES}`,
);

/** Creates another delivery of each of these events, in this order, due like that of a new event. */
export async function insertReplays(tx: Tx, rows: readonly ReplayableRow[]): Promise<void> {
  await replay(tx, [rows.map(({ eventId }) => eventId), rows.map(({ receiverId }) => receiverId)]);
}

const replay = preparedText(
  'webhooks.replay',
  `with requested as (
     select * from unnest($1::uuid[], $2::uuid[]) with ordinality as u (event_id, receiver_id, place)),
   due as materialized (
     select receiver_id, webhooks.first_due(receiver_id) as at
       from (select distinct receiver_id from requested order by receiver_id) receivers)
   insert into webhooks.delivery (event_id, receiver_id, due_at)
   select event_id, receiver_id, due.at from requested join due using (receiver_id) order by place`,
  { writes: true },
);

/** Creates another delivery of the event to the same endpoint; none if the event is purged. Locks the event against purging. */
export async function insertResend(tx: Tx, deliveryId: string): Promise<string | undefined> {
  const [row] = await resend(tx, [deliveryId]);
  return row?.id;
}

const resend = preparedText<{ id: string }>(
  'webhooks.resend',
  `with locked as materialized (
     select e.id, d.receiver_id from webhooks.delivery d join outbox.event e on e.id = d.event_id
       join outbox.receiver r on r.id = d.receiver_id
      where d.id = $1 and e.body is not null and r.deleted_at is null for key share of e)
   insert into webhooks.delivery (event_id, receiver_id, due_at)
   select id, receiver_id, webhooks.first_due(receiver_id) from locked
   returning id`,
  { writes: true },
);
