import { and, eq, isNull, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { COUNTED_MAX, type Count, estimateRows, rememberEstimate } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
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
