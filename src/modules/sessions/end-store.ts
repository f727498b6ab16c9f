import { and, eq, gt, gte, isNull, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import { type Pair, SESSIONS } from './store.ts';
import { authCode, priorLogin, session } from './tables.ts';

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
