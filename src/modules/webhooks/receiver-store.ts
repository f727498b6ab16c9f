import { and, eq, isNull, type SQL, sql } from '#drizzle';
import { COUNTED_MAX, type Count, estimateRows, rememberEstimate } from '#lib/counts.ts';
import type { Executor, Tx } from '#lib/database.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/prepared.ts';
import { ownerOf, receiver } from '#modules/outbox';
import { breaker, delivery, pace, pause } from './tables.ts';

export type BreakerRow = typeof breaker.$inferSelect;
export type PauseRow = typeof pause.$inferSelect;

/** The latest pause of a receiver, in force or not, its breaker and its rate. */
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

/** More of one receiver are never in flight: among so many, the first that is due is not leased. */
const LEASED_MAX = 1_000;

/** Not held, nor behind another one of its lane. */
const IS_DUE_SOMETIME = sql`${delivery.dueAt} < 'infinity'`;

/** How many deliveries wait for a receiver, and when the first is or was due: a held one is not until it is released. */
export async function selectBacklog(
  db: Executor,
  receiverId: string,
): Promise<{ pending: Count; firstDueAt: Date | null }> {
  const counting = rememberEstimate(db, `pending of ${receiverId}`, async () => {
    const [counted] = await countPending(db, [receiverId]);
    const count = counted?.count ?? 0;
    if (count <= COUNTED_MAX) return { count, countIsExact: true };
    const all = sql`select from ${delivery} where ${delivery.receiverId} = ${receiverId} and ${delivery.status} = 'PENDING'`;
    return { count: Math.max(count, await estimateRows(db, all)), countIsExact: false };
  });
  const [pending, [first]] = await Promise.all([counting, firstDue(db, [receiverId])]);
  return { pending, firstDueAt: first?.at ?? null };
}

// Due and held ones have an index each, whose order is named: else all are read, however few are counted.
const countPending = preparedText<{ count: number }>(
  'webhooks.count-pending',
  `select count(*)::int as count from (
     (select 1 from webhooks.delivery where receiver_id = $1 and status = 'PENDING' and due_at is not null
       order by due_at limit ${COUNTED_MAX + 1})
     union all
     (select 1 from webhooks.delivery where receiver_id = $1 and status = 'PENDING' and due_at is null
       order by id limit ${COUNTED_MAX + 1})
     limit ${COUNTED_MAX + 1}) counted`,
);

const firstDue = preparedText<{ at: Date | null }>(
  'webhooks.first-due',
  `select min(at) as at from (
     select greatest(due_at, leased_until) as at from webhooks.delivery
      where receiver_id = $1 and status = 'PENDING' and due_at < 'infinity' order by due_at limit ${LEASED_MAX}) first`,
);

/** Sends a receiver so many attempts a second at most; null: as many as it takes. */
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

/** In order of an index: else all are read, however few are counted. */
const COUNTED = sql.raw(String(COUNTED_MAX + 1));
const pendingOf = (condition: SQL) =>
  sql`from ${delivery} where ${delivery.receiverId} = ${receiver.id} and ${delivery.status} = 'PENDING' and ${condition}`;

const states = prepared('webhooks.receiver-states', (db, given: Given<{ ids: readonly string[] }>) =>
  db
    .select({
      id: receiver.id,
      pause,
      breaker,
      rate: pace.rate,
      waiting: sql<number>`(select count(*)::int from (
          (select 1 ${pendingOf(sql`${delivery.dueAt} is not null`)} order by ${delivery.dueAt} limit ${COUNTED})
          union all (select 1 ${pendingOf(sql`${delivery.dueAt} is null`)} order by ${delivery.id} limit ${COUNTED})) counted)`,
      firstDueAt: sql`(select min(at) from (select greatest(${delivery.dueAt}, ${delivery.leasedUntil}) as at
          ${pendingOf(IS_DUE_SOMETIME)} order by ${delivery.dueAt} limit ${sql.raw(String(LEASED_MAX))}) first)`.mapWith(
        delivery.dueAt,
      ),
    })
    .from(receiver)
    .leftJoin(pause, eq(pause.receiverId, receiver.id))
    .leftJoin(breaker, eq(breaker.receiverId, receiver.id))
    .leftJoin(pace, eq(pace.receiverId, receiver.id))
    .where(sql`${receiver.id} = any(${given.ids})`),
);

/** The same of several receivers, each by its id; of what waits for one, no more than 10001 is counted. */
export async function selectStates(db: Executor, ids: readonly string[]) {
  const rows = await states(db, { ids });
  return new Map(
    rows.map(({ id, waiting, ...state }) => {
      const pending: Count = { count: Math.min(waiting, COUNTED_MAX), countIsExact: waiting <= COUNTED_MAX };
      return [id, { ...state, pending }];
    }),
  );
}

/** Forgets the failures of a receiver. After its deliveries, if these change too: results lock in that order. */
export async function deleteBreaker(tx: Tx, receiverId: string): Promise<void> {
  await forgetFailures(tx, { receiverId });
}

const forgetFailures = prepared('webhooks.forget-failures', (db, given: Given<{ receiverId: string }>) =>
  db.delete(breaker).where(eq(breaker.receiverId, given.receiverId)),
);

/**
 * Active receivers whose breaker has opened, and whose attempts have failed over so many hours without a success
 * in between: the first failure and the latest are that far apart. A quiet receiver does not count. With `receiverId` only
 * that one.
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
