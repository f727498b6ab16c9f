import { and, desc, eq, isNull, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import {
  COUNTED_MAX,
  type Count,
  estimateRows,
  type Listed,
  type PageRequest,
  pageOfWalk,
  rememberEstimate,
} from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { ownerOf, type Receiver, receiver, withoutKeys } from '#modules/outbox';
import { isOneOf, selectEndpointIdsOf } from './delivery-store.ts';
import type { BreakerState } from './record.ts';
import { breaker, delivery, pace, pause, release } from './tables.ts';

export type BreakerRow = typeof breaker.$inferSelect;

export type PauseRow = typeof pause.$inferSelect;

/** The latest pause of a receiver, in force or ended, its breaker and its rate. */
export async function selectReceiverState(
  db: Executor,
  receiverId: string,
): Promise<{ pause: PauseRow | null; breaker: BreakerRow | null; rate: number | null }> {
  return (await stateOf(db, { receiverId })) ?? { pause: null, breaker: null, rate: null };
}

const stateOf = preparedOne('webhooks.receiver-state', (db, given: Given<{ receiverId: string }>) =>
  db
    .select({ pause, breaker, rate: pace.rate })
    .from(receiver)
    .leftJoin(pause, eq(pause.receiverId, receiver.id))
    .leftJoin(breaker, eq(breaker.receiverId, receiver.id))
    .leftJoin(pace, eq(pace.receiverId, receiver.id))
    .where(eq(receiver.id, given.receiverId)),
);

/** More than one receiver ever has in flight, so an unleased delivery is among so many. */
const LEASED_MAX = 1_000;

/** The pending deliveries of a receiver and the due time of the first one. A held one is due only once released. */
export async function selectBacklog(
  db: Executor,
  receiverId: string,
): Promise<{ pending: Count; firstDueAt: Date | null }> {
  const counting = rememberEstimate(db, `pending of ${receiverId}`, async () => {
    const [counted] = await countPending(db, [receiverId]);
    const count = counted?.count ?? 0;
    if (count <= COUNTED_MAX) return { count, countIsExact: true };
    const all = sql`select from ${delivery} where ${delivery.receiverId} = ${receiverId} and ${delivery.status} = 'PENDING'`;
    return { count: Math.max(count, await estimateRows(db, 'webhooks.pending', all)), countIsExact: false };
  });
  const [pending, [first]] = await Promise.all([counting, firstDue(db, [receiverId])]);
  return { pending, firstDueAt: first?.at ?? null };
}

const countPending = preparedText<{ count: number }>(
  'webhooks.count-pending',
  `select webhooks.count_pending($1, ${COUNTED_MAX + 1}) as count`,
);

const firstDue = preparedText<{ at: Date | null }>(
  'webhooks.first-due',
  `select webhooks.next_attempt_at($1, ${LEASED_MAX}) as at`,
);

/** Limits the attempts a second; null removes the limit. */
export async function setRate(tx: Tx, receiverId: string, rate: number | null): Promise<void> {
  if (rate === null) await forgetRate(tx, { receiverId });
  else await putRate(tx, { receiverId, rate });
}

const forgetRate = prepared('webhooks.forget-rate', (db, given: Given<{ receiverId: string }>) =>
  db.delete(pace).where(eq(pace.receiverId, given.receiverId)),
);

const putRate = prepared('webhooks.put-rate', (db, given: Given<{ receiverId: string; rate: number }>) =>
  db
    .insert(pace)
    .values({ receiverId: given.receiverId, rate: given.rate })
    .onConflictDoUpdate({ target: pace.receiverId, set: { rate: sql`excluded.rate` } }),
);

const states = prepared('webhooks.receiver-states', (db, given: Given<{ ids: readonly string[] }>) =>
  db
    .select({
      id: receiver.id,
      pause,
      breaker,
      rate: pace.rate,
      waiting: sql<number>`webhooks.count_pending(${receiver.id}, ${COUNTED_MAX + 1})`,
      firstDueAt: sql`webhooks.next_attempt_at(${receiver.id}, ${LEASED_MAX})`.mapWith(delivery.dueAt),
    })
    .from(receiver)
    .leftJoin(pause, eq(pause.receiverId, receiver.id))
    .leftJoin(breaker, eq(breaker.receiverId, receiver.id))
    .leftJoin(pace, eq(pace.receiverId, receiver.id))
    .where(sql`${receiver.id} = any(${given.ids})`),
);

/** State and backlog of several receivers by id. Counts at most 10001 pending deliveries of each. */
export async function selectStates(db: Executor, ids: readonly string[]) {
  const rows = await states(db, { ids });
  return new Map(
    rows.map(({ id, waiting, ...state }) => {
      const pending: Count = { count: Math.min(waiting, COUNTED_MAX), countIsExact: waiting <= COUNTED_MAX };
      return [id, { ...state, pending }];
    }),
  );
}

/** Closes the breaker. Call it after changing deliveries: results lock in that order. */
export async function deleteBreaker(tx: Tx, receiverId: string): Promise<void> {
  await removeBreaker(tx, { receiverId });
}

const removeBreaker = prepared('webhooks.forget-failures', (db, given: Given<{ receiverId: string }>) =>
  db.delete(breaker).where(eq(breaker.receiverId, given.receiverId)),
);

/**
 * Active receivers whose breaker has opened and whose first and latest failures in a row are at least `hours` apart, so that a
 * receiver without traffic does not count. With `receiverId` only that one.
 */
export async function selectLongFailing(
  db: Executor,
  hours: number,
  { limit, receiverId }: { limit: number; receiverId?: string },
): Promise<{ ownerId: string; receiverId: string; failingSince: Date }[]> {
  return db
    .select({ ownerId: ownerOf(receiver), receiverId: receiver.id, failingSince: breaker.failingSince })
    .from(breaker)
    .innerJoin(receiver, eq(receiver.id, breaker.receiverId))
    .leftJoin(pause, and(eq(pause.receiverId, receiver.id), isNull(pause.resumedAt)))
    .where(
      and(
        isNull(pause.receiverId),
        sql`${breaker.openUntil} is not null`,
        sql`${breaker.lastFailedAt} - ${breaker.failingSince} >= ${hours}::int * interval '1 hour'`,
        receiverId === undefined ? undefined : eq(receiver.id, receiverId),
      ),
    )
    .limit(limit);
}

export interface ReceiverFilter {
  ownerKind?: Receiver['ownerKind'] | undefined;
  /** All endpoints of the owner. */
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  status?: 'ACTIVE' | 'PAUSED' | undefined;
  /** Only those whose breaker is open or half open. */
  failing?: boolean | undefined;
  breaker?: BreakerState | undefined;
  /** Only those with pending deliveries. */
  waiting?: boolean | undefined;
}

const listed = alias(receiver, 'r');

/** The default endpoint of the same owner. */
const defaultEndpoint = alias(receiver, 'default_endpoint');
const isPaused = sql`exists (select from ${pause} where ${pause.receiverId} = ${listed.id} and ${pause.resumedAt} is null)`;

const hasBreaker = (state: SQL) =>
  sql`exists (select from ${breaker} where ${breaker.receiverId} = ${listed.id} and ${breaker.openUntil} is not null and ${state})`;

const fails = hasBreaker(sql`true`);

const breakerIs: Readonly<Record<BreakerState, (now: Date) => SQL>> = {
  CLOSED: () => sql`not ${fails}`,
  OPEN: (now) => hasBreaker(sql`not ${breaker.probing} and ${breaker.openUntil} > ${now.toISOString()}`),
  HALF_OPEN: (now) => hasBreaker(sql`(${breaker.probing} or ${breaker.openUntil} <= ${now.toISOString()})`),
};

/** Looked up for each walked row, by the indexes of due and of held deliveries. */
const oneOf = (condition: SQL) => sql`(select true from ${delivery} where ${delivery.receiverId} = ${listed.id}
  and ${delivery.status} = 'PENDING' and ${condition} limit 1)`;

const hasWaiting = sql`coalesce(${oneOf(sql`${delivery.dueAt} is not null`)}, ${oneOf(sql`${delivery.dueAt} is null`)}, false)`;

/** Few receivers are paused or failing, and both have an index. */
const within = ({ status, failing, breaker: state }: ReceiverFilter, ids: readonly string[] | undefined, now: Date) =>
  and(
    ids && isOneOf(ids, listed.id),
    status === 'PAUSED' ? isPaused : undefined,
    failing ? fails : undefined,
    state === undefined || state === 'CLOSED' ? undefined : breakerIs[state](now),
  );

const matches = ({ ownerKind, status, breaker: state, waiting }: ReceiverFilter, now: Date) =>
  and(
    sql`${listed.deletedAt} is null`,
    ownerKind && eq(listed.ownerKind, ownerKind),
    status === 'ACTIVE' ? sql`not ${isPaused}` : undefined,
    state === 'CLOSED' ? breakerIs.CLOSED(now) : undefined,
    waiting ? hasWaiting : undefined,
  );

/** Endpoints, without deleted ones, newest first. */
export async function selectReceivers(
  db: Executor,
  filter: ReceiverFilter,
  page: PageRequest<string>,
  now: Date,
): Promise<Listed<Receiver, string>> {
  const ids = await selectEndpointIdsOf(db, filter);
  const walk = {
    name: 'receivers',
    filter,
    table: receiver,
    row: listed,
    key: listed.id,
    within: within(filter, ids, now),
    matches: matches(filter, now),
  };
  const { items, ...found } = await pageOfWalk(db, walk, page, {
    rows: (keys) =>
      db
        .select({ receiver, ownerId: sql<string>`coalesce(${receiver.ownerId}, ${defaultEndpoint.ownerId})` })
        .from(receiver)
        .leftJoin(defaultEndpoint, eq(defaultEndpoint.id, receiver.defaultId))
        .where(sql`${receiver.id} = any(array(${keys}))`)
        .orderBy(desc(receiver.id)),
    keyOf: (one) => one.receiver.id,
  });
  return { ...found, items: items.map(({ receiver: one, ownerId }) => withoutKeys({ ...one, ownerId })) };
}

/** The pause in force; undefined for an active receiver. */
export const selectPause = (db: Executor, receiverId: string): Promise<PauseRow | undefined> =>
  inForce(db, { receiverId });

const inForce = preparedOne('webhooks.pause', (db, given: Given<{ receiverId: string }>) =>
  db
    .select()
    .from(pause)
    .where(and(eq(pause.receiverId, given.receiverId), isNull(pause.resumedAt))),
);

const pausedAmong = prepared('webhooks.paused-among', (db, given: Given<{ ids: readonly string[] }>) =>
  db
    .select({ id: pause.receiverId })
    .from(pause)
    .where(sql`${pause.receiverId} = any(${given.ids}) and ${isNull(pause.resumedAt)}`),
);

/** Which of these receivers are paused. */
export async function selectPaused(db: Executor, ids: readonly string[]): Promise<Set<string>> {
  const rows = await pausedAmong(db, { ids });
  return new Set(rows.map(({ id }) => id));
}

/** Pauses a locked receiver: its deliveries are held. */
export async function insertPause(tx: Tx, receiverId: string, by: PauseRow['pausedBy'], reason: string): Promise<void> {
  await putPause(tx, { receiverId, by, reason });
  await releaseIfDeliverable(tx, [receiverId]);
}

const putPause = prepared(
  'webhooks.pause-receiver',
  (db, given: Given<{ receiverId: string; by: PauseRow['pausedBy']; reason: string }>) =>
    db
      .insert(pause)
      .values({
        receiverId: given.receiverId,
        pausedAt: sql`now()`,
        pausedBy: given.by,
        reason: given.reason,
        resumedAt: null,
      })
      .onConflictDoUpdate({
        target: pause.receiverId,
        set: {
          pausedAt: sql`excluded.paused_at`,
          pausedBy: sql`excluded.paused_by`,
          reason: sql`excluded.reason`,
          resumedAt: null,
        },
      }),
);

/** Ends the pause of a locked receiver. The first held deliveries become due in the same transaction. */
export async function endPause(tx: Tx, receiverId: string): Promise<void> {
  await resume(tx, { receiverId });
  await releaseIfDeliverable(tx, [receiverId]);
}

const resume = prepared('webhooks.resume-receiver', (db, given: Given<{ receiverId: string }>) =>
  db.update(pause).set({ resumedAt: sql`now()` }).where(eq(pause.receiverId, given.receiverId)),
);

const releaseIfDeliverable = preparedText(
  'webhooks.release-if-deliverable',
  'select webhooks.release_if_deliverable($1::uuid)',
  { writes: true },
);

/** Ends the pending deliveries of a deleted endpoint: the first `limit` in this transaction. */
export async function endDeliveriesOf(tx: Tx, receiverId: string, limit: number): Promise<void> {
  await addReleasing(tx, { receiverId });
  await releaseHeldOf(tx, receiverId, limit);
}

const addReleasing = prepared('webhooks.add-releasing', (db, given: Given<{ receiverId: string }>) =>
  db.insert(release).values({ receiverId: given.receiverId }).onConflictDoNothing(),
);

/** Resumed and deleted receivers that may still have held deliveries. */
export async function selectReleasing(db: Executor, limit: number): Promise<string[]> {
  const rows = await releasing(db, { limit });
  return rows.map(({ receiverId }) => receiverId);
}

const releasing = prepared('webhooks.releasing', (db, given: Given<{ limit: number }>) =>
  db.select().from(release).limit(given.limit),
);

/** Makes up to `limit` held deliveries of a receiver due, the oldest first. @returns how many */
export async function releaseHeldOf(tx: Tx, receiverId: string, limit: number): Promise<number> {
  const [row] = await releaseHeld(tx, [receiverId, limit]);
  return row?.released ?? 0;
}

const releaseHeld = preparedText<{ released: number }>(
  'webhooks.release-held',
  'select webhooks.release_held($1::uuid, $2) as released',
  { writes: true },
);

/** The pending deliveries of all receivers. */
export interface Backlog extends Record<string, unknown> {
  /** The age of the oldest due delivery, without receivers whose breaker is open. */
  oldestDueSeconds: number;
  /** Due now, without receivers whose breaker is open. May include some in flight. */
  due: number;
  /** Due now or later, or in flight. */
  pending: number;
  /** Of receivers that are paused or have no URL. */
  held: number;
  receiversPaused: number;
  breakersOpen: number;
}

// A leased delivery is in flight, not due. Whether a delivery can be sent depends on its receiver: one that was in flight when its
// receiver was paused has a due time and is held all the same. A claim takes the oldest deliveries of a receiver first, so those in
// flight mostly precede the first unleased one: due are the deliveries from that one until now, counted in the index. When an older
// one comes back from a dead worker, those in flight behind it are counted too. Full joins avoid a nested loop over receivers or
// deliveries, whatever number of rows the planner expects.
const measureAll = preparedText<Backlog>(
  'webhooks.backlog',
  `
with waiting as (
  select receiver_id, w.count, d.due_at
    from (select receiver_id, count(*) as count from webhooks.delivery
           where status = 'PENDING' and due_at is not null group by receiver_id) w
    full join webhooks.oldest_due() d using (receiver_id)
  union all
  select receiver_id, count(*), null from webhooks.delivery
   where status = 'PENDING' and due_at is null group by receiver_id),
paused as (select receiver_id from webhooks.pause where resumed_at is null),
by_receiver as (
  select w.receiver_id, w.count, w.due_at, r.url is not null and p.receiver_id is null as deliverable, b.open_until is not null as is_open
    from waiting w join outbox.receiver r on r.id = w.receiver_id
    left join paused p on p.receiver_id = w.receiver_id
    left join webhooks.breaker b on b.receiver_id = w.receiver_id)
select (select coalesce(sum(count), 0)::int from by_receiver where deliverable) as pending,
       (select coalesce(sum(count), 0)::int from by_receiver where not deliverable) as held,
       (select coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8
          from by_receiver where deliverable and not is_open) as "oldestDueSeconds",
       (select count(*) filter (where d.due_at >= first.due_at)::int
          from (select receiver_id, due_at from webhooks.delivery
                 where status = 'PENDING' and due_at is not null and due_at <= now()) d
          full join (select receiver_id, due_at from by_receiver
                      where deliverable and not is_open and due_at is not null) first
            on first.receiver_id = d.receiver_id) as due,
       (select count(*)::int from paused) as "receiversPaused",
       (select count(*)::int from webhooks.breaker b
         where b.open_until is not null and not exists (select from paused p where p.receiver_id = b.receiver_id))
         as "breakersOpen"`,
);

/** The backlog, for metrics. */
export async function measureBacklog(db: Executor): Promise<Backlog> {
  const [counted] = await measureAll(db, []);
  if (counted === undefined) throw new Error('the backlog query returned no row');
  return counted;
}
