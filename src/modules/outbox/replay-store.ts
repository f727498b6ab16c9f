import { and, asc, count, eq, gt, isNull, notExists, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import { matches, type ScopedFilter } from './filter-store.ts';
import { receives } from './store.ts';
import { delivery, event, receiver } from './tables.ts';

const later = alias(delivery, 'later');

/** Deliveries that match and are not purged, of events that nobody has delivered again since, from behind `after` on. */
const replayable = (db: Executor, filter: ScopedFilter, after: string | undefined) =>
  and(
    matches(filter),
    isNull(delivery.purgedAt),
    after === undefined ? undefined : gt(event.id, after),
    notExists(
      db
        .select({ one: sql`1` })
        .from(later)
        .where(and(eq(later.eventId, delivery.eventId), gt(later.id, delivery.id))),
    ),
  );

export interface ReplayableRow {
  deliveryId: string;
  eventId: string;
  receiverId: string;
}

const columns = { deliveryId: delivery.id, eventId: event.id, receiverId: receiver.id };

const oldestFirst = (db: Executor, filter: ScopedFilter, after: string | undefined, limit: number) =>
  db
    .select(columns)
    .from(delivery)
    .innerJoin(event, eq(event.id, delivery.eventId))
    .innerJoin(receiver, receives)
    .where(replayable(db, filter, after))
    .orderBy(asc(event.id))
    .limit(limit);

/** At most `limit`, each of another event, the oldest event first. */
export async function selectReplayable(
  db: Executor,
  filter: ScopedFilter,
  after: string | undefined,
  limit: number,
): Promise<ReplayableRow[]> {
  return oldestFirst(db, filter, after, limit);
}

/** The same, with their events kept from being deleted; those that are just being deleted are left out. */
export async function lockReplayable(
  tx: Tx,
  filter: ScopedFilter,
  after: string | undefined,
  limit: number,
): Promise<ReplayableRow[]> {
  return oldestFirst(tx, filter, after, limit).for('key share', { skipLocked: true });
}

/** More are not counted: each is looked up among the later deliveries of its event. */
const COUNTED_MAX = 10_000;

export async function countReplayable(db: Executor, filter: ScopedFilter, after: string | undefined): Promise<number> {
  const counted = oldestFirst(db, filter, after, COUNTED_MAX).as('counted');
  const [total] = await db.select({ count: count() }).from(counted);
  return total?.count ?? 0;
}

/**
 * True when no other replay of this owner, or of everybody, runs until the transaction ends. It does not wait: those
 * who wait would hold connections that requests need.
 */
export async function takeReplayLock(tx: Tx, ownerId: string | undefined): Promise<boolean> {
  const everybody = sql`hashtext('outbox.replay'), 0`;
  const lock =
    ownerId === undefined
      ? sql`pg_try_advisory_xact_lock(${everybody})`
      : sql`pg_try_advisory_xact_lock_shared(${everybody})
          and pg_try_advisory_xact_lock(hashtext('outbox.replay'), hashtext(${ownerId}))`;
  const { rows } = await tx.execute<{ taken: boolean }>(sql`select ${lock} as taken`);
  return rows[0]?.taken === true;
}

/** Another delivery of each of these events, in this order, due when a new event of its receiver would be. */
export async function insertReplays(tx: Tx, rows: readonly ReplayableRow[]): Promise<void> {
  const events = sql.param(rows.map(({ eventId }) => eventId));
  const receivers = sql.param(rows.map(({ receiverId }) => receiverId));
  await tx.execute(sql`
    with wanted as (
      select * from unnest(${events}::uuid[], ${receivers}::uuid[]) with ordinality as u (event_id, receiver_id, place)),
    due as materialized (
      select receiver_id, outbox.first_due(receiver_id) as at
        from (select distinct receiver_id from wanted order by receiver_id) receivers)
    insert into ${delivery} (event_id, receiver_id, due_at)
    select event_id, receiver_id, due.at from wanted join due using (receiver_id) order by place`);
}
