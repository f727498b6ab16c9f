import { and, desc, eq, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Receiver, receiver, withoutKeys } from '#modules/outbox';
import type { BreakerState } from './breaker.ts';
import { isOneOf, selectEndpointIdsOf } from './delivery-filter-store.ts';
import { breaker, delivery, pause } from './tables.ts';

/** Which endpoints are asked for. What is absent is not asked. */
export interface ReceiverFilter {
  ownerKind?: Receiver['ownerKind'] | undefined;
  /** All that they have. */
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  status?: 'ACTIVE' | 'PAUSED' | undefined;
  /** Only those whose breaker is open or half open. */
  failing?: boolean | undefined;
  breaker?: BreakerState | undefined;
  /** Only those for which deliveries wait. */
  waiting?: boolean | undefined;
}

const row = alias(receiver, 'r');
/** The default one that another stands beside. */
const standing = alias(receiver, 'standing');

const isPaused = sql`exists (select from ${pause} where ${pause.receiverId} = ${row.id} and ${pause.resumedAt} is null)`;
const hasBreaker = (state: SQL) =>
  sql`exists (select from ${breaker} where ${breaker.receiverId} = ${row.id} and ${breaker.openUntil} is not null and ${state})`;

const fails = hasBreaker(sql`true`);

const breakerIs: Readonly<Record<BreakerState, (now: Date) => SQL>> = {
  CLOSED: () => sql`not ${fails}`,
  OPEN: (now) => hasBreaker(sql`not ${breaker.probing} and ${breaker.openUntil} > ${now.toISOString()}`),
  HALF_OPEN: (now) => hasBreaker(sql`(${breaker.probing} or ${breaker.openUntil} <= ${now.toISOString()})`),
};

/** Looked up for each that is walked over, by the indexes of what is due and of what is held. */
const oneOf = (condition: SQL) => sql`(select true from ${delivery} where ${delivery.receiverId} = ${row.id}
  and ${delivery.status} = 'PENDING' and ${condition} limit 1)`;
const hasWaiting = sql`coalesce(${oneOf(sql`${delivery.dueAt} is not null`)}, ${oneOf(sql`${delivery.dueAt} is null`)}, false)`;

/** Few are paused and few fail, and both have an index: they are read by it, however many others there are. */
const within = ({ status, failing, breaker: state }: ReceiverFilter, ids: readonly string[] | undefined, now: Date) =>
  and(
    ids && isOneOf(ids, row.id),
    status === 'PAUSED' ? isPaused : undefined,
    failing ? fails : undefined,
    state === undefined || state === 'CLOSED' ? undefined : breakerIs[state](now),
  );

const matches = ({ ownerKind, status, breaker: state, waiting }: ReceiverFilter, now: Date) =>
  and(
    sql`${row.deletedAt} is null`,
    ownerKind && eq(row.ownerKind, ownerKind),
    status === 'ACTIVE' ? sql`not ${isPaused}` : undefined,
    state === 'CLOSED' ? breakerIs.CLOSED(now) : undefined,
    waiting ? hasWaiting : undefined,
  );

/** Endpoints that were not deleted, newest first. */
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
    row,
    key: row.id,
    within: within(filter, ids, now),
    matches: matches(filter, now),
  };
  const { items, ...found } = await pageOfWalk(db, walk, page, {
    rows: (keys) =>
      db
        .select({ receiver, ownerId: sql<string>`coalesce(${receiver.ownerId}, ${standing.ownerId})` })
        .from(receiver)
        .leftJoin(standing, eq(standing.id, receiver.defaultId))
        .where(sql`${receiver.id} = any(array(${keys}))`)
        .orderBy(desc(receiver.id)),
    keyOf: (one) => one.receiver.id,
  });
  return { ...found, items: items.map(({ receiver: one, ownerId }) => withoutKeys({ ...one, ownerId })) };
}
