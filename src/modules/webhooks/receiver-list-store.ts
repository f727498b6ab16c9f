import { and, desc, eq, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import { pageOfWalk } from '#lib/walk.ts';
import { type Receiver, receiver, withoutKeys } from '#modules/outbox';
import type { BreakerState } from './breaker.ts';
import { breaker, pause } from './tables.ts';

/** Which endpoints are asked for. What is absent is not asked. */
export interface ReceiverFilter {
  ownerKind?: Receiver['ownerKind'] | undefined;
  status?: 'ACTIVE' | 'PAUSED' | undefined;
  breaker?: BreakerState | undefined;
}

const row = alias(receiver, 'r');
/** The default one that another stands beside. */
const standing = alias(receiver, 'standing');

const isPaused = sql`exists (select from ${pause} where ${pause.receiverId} = ${row.id} and ${pause.resumedAt} is null)`;
const hasBreaker = (state: SQL) =>
  sql`exists (select from ${breaker} where ${breaker.receiverId} = ${row.id} and ${breaker.openUntil} is not null and ${state})`;

const breakerIs: Readonly<Record<BreakerState, (now: Date) => SQL>> = {
  CLOSED: () => sql`not ${hasBreaker(sql`true`)}`,
  OPEN: (now) => hasBreaker(sql`not ${breaker.probing} and ${breaker.openUntil} > ${now.toISOString()}`),
  HALF_OPEN: (now) => hasBreaker(sql`(${breaker.probing} or ${breaker.openUntil} <= ${now.toISOString()})`),
};

/** Endpoints that were not deleted, newest first. */
export async function selectReceivers(
  db: Executor,
  filter: ReceiverFilter,
  page: PageRequest<string>,
  now: Date,
): Promise<Listed<Receiver, string>> {
  const { ownerKind, status, breaker: state } = filter;
  const matches = and(
    sql`${row.deletedAt} is null`,
    ownerKind && eq(row.ownerKind, ownerKind),
    status && (status === 'PAUSED' ? isPaused : sql`not ${isPaused}`),
    state && breakerIs[state](now),
  );
  return pageOfWalk(db, { name: 'receivers', filter, table: receiver, row, key: row.id, matches }, page, {
    rows: (keys) =>
      db
        .select({ receiver, ownerId: sql<string>`coalesce(${receiver.ownerId}, ${standing.ownerId})` })
        .from(receiver)
        .leftJoin(standing, eq(standing.id, receiver.defaultId))
        .where(sql`${receiver.id} = any(array(${keys}))`)
        .orderBy(desc(receiver.id))
        .then((found) => found.map(({ receiver: one, ownerId }) => withoutKeys({ ...one, ownerId }))),
    keyOf: ({ id }) => id,
  });
}
