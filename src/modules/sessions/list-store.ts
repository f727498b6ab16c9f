import { and, desc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, preparedOne } from '#lib/postgres/prepared.ts';
import { partner } from '#modules/clients';
import type { SessionRow } from './store.ts';
import { session } from './tables.ts';

/** LIVE: its token is good. REVOKED: somebody ended it before its time was over. */
export const sessionStatuses = ['LIVE', 'REVOKED', 'EXPIRED'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** Which sessions are asked for. What is absent is not asked. */
export interface SessionFilter {
  customerId?: string | undefined;
  partnerId?: string | undefined;
  status?: SessionStatus | undefined;
}

/** A session, and where it is. */
export interface SessionParts {
  session: SessionRow;
  partnerName: string;
}

const row = alias(session, 's');

const stands: Readonly<Record<SessionStatus, (now: Date) => SQL | undefined>> = {
  LIVE: (now) => and(isNull(row.revokedAt), gt(row.expiresAt, now)),
  REVOKED: () => isNotNull(row.revokedAt),
  EXPIRED: (now) => and(isNull(row.revokedAt), lte(row.expiresAt, now)),
};

const selectParts = (db: Executor) =>
  db.select({ session, partnerName: partner.name }).from(session).innerJoin(partner, eq(partner.id, session.partnerId));

/** Sessions, newest first. */
export async function selectSessionList(
  db: Executor,
  filter: SessionFilter,
  page: PageRequest<string>,
  now: Date,
): Promise<Listed<SessionParts, string>> {
  const { customerId, partnerId, status } = filter;
  const ofCustomer = customerId === undefined ? undefined : eq(row.customerId, customerId);
  const atPartner = partnerId === undefined ? undefined : eq(row.partnerId, partnerId);
  const matches = and(ofCustomer && atPartner, status && stands[status](now)); // a customer has few
  const within = ofCustomer ?? atPartner;
  return pageOfWalk(db, { name: 'sessions', filter, table: session, row, key: row.id, within, matches }, page, {
    rows: (keys) => selectParts(db).where(sql`${session.id} = any(array(${keys}))`).orderBy(desc(session.id)),
    keyOf: (one) => one.session.id,
  });
}

const lock = preparedOne('sessions.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(session).where(eq(session.id, given.id)).for('no key update'),
);
const byId = preparedOne('sessions.with-partner', (db, given: Given<{ id: string }>) =>
  selectParts(db).where(eq(session.id, given.id)),
);

/** A session with where it is, locked until this transaction ends. */
export async function lockSession(tx: Tx, id: string): Promise<SessionParts | undefined> {
  const [, found] = await Promise.all([lock(tx, { id }), byId(tx, { id })]); // sent together, one after the other
  return found;
}
