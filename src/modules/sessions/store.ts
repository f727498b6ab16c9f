import { and, desc, eq, gt, gte, isNotNull, isNull, lte, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import { partner } from '#modules/clients';
import { authCode, priorLogin, session } from './tables.ts';

/** What changes them is called so, here and by the trigger of `session`. */
export const SESSIONS = 'sessions';

export type AuthCodeRow = typeof authCode.$inferSelect;

export type SessionRow = typeof session.$inferSelect;

/** Whose login a code becomes, at which partner, and what proves that it is the partner's; and from when on it expires. */
const CODE_ROUTE = {
  table: 'sessions.auth_code',
  columns: ['digest', 'partnerId', 'customerId', 'scope', 'codeChallenge', 'createdAt'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [CODE_ROUTE];

/** Which code: its digest, and the partner it is bound to. */
export interface CodeKey {
  digest: Buffer;
  partnerId: string;
}

const is = ({ digest, partnerId }: Given<CodeKey>) =>
  and(eq(authCode.digest, digest), eq(authCode.partnerId, partnerId));

/** Of one customer; more are the work of a program. */
const SESSIONS_SHOWN_MAX = 100;

/** Which customer, at which partner. */
export interface Pair {
  partnerId: string;
  customerId: string;
}

/** Whether the customer has proved who they are at the partner before. */
export const hasLoggedInBefore = async (db: Executor, { partnerId, customerId }: Pair): Promise<boolean> =>
  (await selectPriorLogin(db, { partnerId, customerId })) !== undefined;

const selectPriorLogin = preparedOne('sessions.prior-login', (db, given: Given<Pair>) =>
  db
    .select({ since: priorLogin.since })
    .from(priorLogin)
    .where(and(eq(priorLogin.customerId, given.customerId), eq(priorLogin.partnerId, given.partnerId))),
);

/**
 * Records that a customer has proved who they are at a partner: guesses at other partners do not slow their logins there.
 *
 * @returns whether it was the first time
 */
export const recordPriorLogin = async (tx: Tx, { partnerId, customerId }: Pair, since: Date): Promise<boolean> =>
  (await insertPriorLogin(tx, { partnerId, customerId, since })) !== undefined;

const insertPriorLogin = preparedOne('sessions.record-prior-login', (db, given: Given<Pair & { since: Date }>) =>
  db
    .insert(priorLogin)
    .values({ partnerId: given.partnerId, customerId: given.customerId, since: given.since })
    .onConflictDoNothing()
    .returning({ since: priorLogin.since }),
);

type NewAuthCode = Omit<AuthCodeRow, 'exchangedAt' | 'sessionId' | 'routingMac'>;

/** Stores a new authorization code. */
export const insertAuthCode = async (tx: Tx, keyring: Keyring, values: NewAuthCode): Promise<void> =>
  void (await storeAuthCode(tx, { ...values, routingMac: routingMacOf(keyring, CODE_ROUTE, values) }));

const storeAuthCode = prepared('sessions.store-auth-code', (db, given: Given<NewAuthCode & { routingMac: Buffer }>) =>
  db.insert(authCode).values({
    digest: given.digest,
    partnerId: given.partnerId,
    customerId: given.customerId,
    scope: given.scope,
    codeChallenge: given.codeChallenge,
    routingMac: given.routingMac,
    createdAt: given.createdAt,
    expiresAt: given.expiresAt,
  }),
);

/**
 * Uses the code up: of any number at the same time one gets it; the others wait until its transaction ends.
 *
 * @throws AlteredRecord for one that is not as we stored it: it could be another customer's login
 */
export async function useAuthCode(
  tx: Tx,
  keyring: Keyring,
  { digest, partnerId }: CodeKey,
  now: Date,
): Promise<AuthCodeRow | undefined> {
  const used = await setExchanged(tx, { digest, partnerId, now });
  if (used !== undefined) assertAuthentic(keyring, CODE_ROUTE, used);
  return used;
}

const setExchanged = preparedOne('sessions.use-auth-code', (db, given: Given<CodeKey & { now: Date }>) =>
  db
    .update(authCode)
    .set({ exchangedAt: sql`${given.now}` })
    .where(and(is(given), isNull(authCode.exchangedAt), gt(authCode.expiresAt, given.now)))
    .returning(),
);

/** A code, used or not. */
export const selectAuthCode = preparedOne('sessions.auth-code', (db, given: Given<CodeKey>) =>
  db.select().from(authCode).where(is(given)),
);

/** A session that was not ended. */
export type NewSession = Omit<SessionRow, 'revokedAt'>;

/** Stores the session that a code became. */
export async function insertSession(tx: Tx, values: NewSession, { digest }: CodeKey): Promise<void> {
  await Promise.all([storeSession(tx, values), nameSession(tx, { digest, sessionId: values.id })]); // sent together
}

const storeSession = prepared('sessions.store', (db, given: Given<NewSession>) =>
  db.insert(session).values({
    id: given.id,
    partnerId: given.partnerId,
    customerId: given.customerId,
    issuedAt: given.issuedAt,
    expiresAt: given.expiresAt,
  }),
);

const nameSession = prepared('sessions.name-of-code', (db, given: Given<{ digest: Buffer; sessionId: string }>) =>
  db
    .update(authCode)
    .set({ sessionId: sql`${given.sessionId}::uuid` })
    .where(eq(authCode.digest, given.digest)),
);

/** Revokes one session; one that is revoked already keeps its time. */
export async function revokeSession(tx: Tx, id: string, now: Date): Promise<void> {
  await revokeOne(tx, { id, now });
  forgetAfterCommit(tx, SESSIONS, [id]);
}

const revokeOne = prepared('sessions.revoke', (db, given: Given<{ id: string; now: Date }>) =>
  db
    .update(session)
    .set({ revokedAt: sql`${given.now}` })
    .where(and(eq(session.id, given.id), isNull(session.revokedAt))),
);

/** Revokes a session of this customer at this partner. @returns false when it was not live any more */
export async function revokeLiveSession(
  tx: Tx,
  { id, partnerId, customerId }: { id: string; partnerId: string; customerId: string },
  now: Date,
): Promise<boolean> {
  const ended = await revokeLive(tx, { id, partnerId, customerId, now });
  forgetAfterCommit(tx, SESSIONS, [id]);
  return ended.length > 0;
}

const revokeLive = prepared(
  'sessions.revoke-live',
  (db, given: Given<{ id: string; partnerId: string; customerId: string; now: Date }>) =>
    db
      .update(session)
      .set({ revokedAt: sql`${given.now}` })
      .where(
        and(
          eq(session.id, given.id),
          eq(session.partnerId, given.partnerId),
          eq(session.customerId, given.customerId),
          isNull(session.revokedAt),
          gt(session.expiresAt, given.now),
        ),
      )
      .returning({ id: session.id }),
);

/** Where a customer is logged in. */
export type LiveSession = Pick<SessionRow, 'partnerId' | 'issuedAt' | 'expiresAt'>;

/** The sessions of a customer that live, newest first. */
export const liveSessionsOf = (db: Executor, customerId: string, now: Date): Promise<LiveSession[]> =>
  live(db, { customerId, now });

const live = prepared('sessions.live', (db, given: Given<{ customerId: string; now: Date }>) =>
  db
    .select({ partnerId: session.partnerId, issuedAt: session.issuedAt, expiresAt: session.expiresAt })
    .from(session)
    .where(and(eq(session.customerId, given.customerId), isNull(session.revokedAt), gt(session.expiresAt, given.now)))
    .orderBy(desc(session.issuedAt))
    .limit(SESSIONS_SHOWN_MAX),
);

/** What is looked at of a session on every call of its customer. */
export type KnownSession = Pick<SessionRow, 'id' | 'partnerId' | 'customerId' | 'expiresAt' | 'revokedAt'>;

/** Sessions by their ids. */
export const selectSessions = preparedText<KnownSession>(
  'sessions.by-id',
  `select id, partner_id as "partnerId", customer_id as "customerId", expires_at as "expiresAt", revoked_at as "revokedAt"
     from sessions.session where id = any((select $1::uuid[])::uuid[])`,
);

/** True while a session lives, whose ever it is: for what was signed when its customer was known. */
export async function isSessionOpen(db: Database, id: string, now: Date): Promise<boolean> {
  const [found] = await selectSessions(db, [[id]]);
  return found !== undefined && found.revokedAt === null && found.expiresAt > now;
}

/** LIVE: its token is good. REVOKED: it was ended before it expired. */
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

/**
 * Ends a customer's sessions, at one partner or at all: their tokens are refused from the commit on, by other processes within
 * a second. Codes that could still become a session expire first. That waits for exchanges under way, whose sessions are then revoked with the others.
 *
 * @returns how many sessions ended
 */
export async function endSessionsOf(
  tx: Tx,
  whose: { customerId: string; partnerId?: string | undefined },
  now: Date,
): Promise<number> {
  const { customerId, partnerId } = whose;
  const { endCodes, endSessions, noteEnd } = partnerId === undefined ? everywhere : atOnePartner;
  const ended = { customerId, partnerId: partnerId ?? '', now };
  await endCodes(tx, ended);
  const { rowCount } = await endSessions(tx, ended);
  await noteEnd(tx, ended);
  forgetAfterCommit(tx, SESSIONS);
  return rowCount ?? 0;
}

/** The statements that end sessions of a customer, at one partner or at all. */
function endingOf(where: 'at-a-partner' | 'everywhere') {
  type Ended = Pair & { now: Date };
  const belongsTo = (table: typeof authCode | typeof session | typeof priorLogin, given: Given<Ended>) =>
    and(
      eq(table.customerId, given.customerId),
      where === 'everywhere' ? undefined : eq(table.partnerId, given.partnerId),
    );
  return {
    endCodes: prepared(`sessions.end-codes-${where}`, (db, given: Given<Ended>) =>
      db
        .update(authCode)
        .set({ expiresAt: sql`${given.now}` })
        .where(and(belongsTo(authCode, given), isNull(authCode.exchangedAt), gt(authCode.expiresAt, given.now))),
    ),
    endSessions: prepared(`sessions.end-${where}`, (db, given: Given<Ended>) =>
      db
        .update(session)
        .set({ revokedAt: sql`${given.now}` })
        .where(and(belongsTo(session, given), isNull(session.revokedAt), gt(session.expiresAt, given.now))),
    ),
    noteEnd: prepared(`sessions.note-end-${where}`, (db, given: Given<Ended>) =>
      db
        .update(priorLogin)
        .set({ sessionsEndedAt: sql`${given.now}` })
        .where(belongsTo(priorLogin, given)),
    ),
  };
}

const everywhere = endingOf('everywhere');

const atOnePartner = endingOf('at-a-partner');

/** Whether all sessions of a customer at a partner were ended since a moment: by `endSessionsOf`, not by logging out. */
export const sessionsEndedSince = async (
  db: Executor,
  { partnerId, customerId }: Pair,
  since: Date,
): Promise<boolean> => (await endedSince(db, { partnerId, customerId, since })).length > 0;

const endedSince = prepared('sessions.ended-since', (db, given: Given<Pair & { since: Date }>) =>
  db
    .select({ at: priorLogin.sessionsEndedAt })
    .from(priorLogin)
    .where(
      and(
        eq(priorLogin.customerId, given.customerId),
        eq(priorLogin.partnerId, given.partnerId),
        gte(priorLogin.sessionsEndedAt, given.since),
      ),
    ),
);
