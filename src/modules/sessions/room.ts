import { desc, eq } from '#drizzle';
import type { Tx } from '#lib/postgres/executor.ts';
import { prepared, preparedText } from '#lib/postgres/prepared.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import type { Room } from '#lib/room.ts';
import {
  DAY_MS,
  deletes,
  type EraseOf,
  EXPORTED_MAX,
  type ExportOf,
  type OfCustomer,
  type Retention,
} from '#lib/room.ts';
import { partner } from '#modules/clients';
import { endSessionsOf, routingFacts, SESSIONS } from './store.ts';
import { authCode, priorLogin, session } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'sessions.auth_code',
    kept: 'a day after it expired',
    why: 'a late replay ends the session that it gave',
    forget: { rows: deletes({ table: 'sessions.auth_code', by: 'expires_at', afterMs: DAY_MS }) },
  },
  {
    table: 'sessions.prior_login',
    kept: 'as long as the customer',
    why: 'a login at a new partner sends the customer a notice',
  },
  {
    table: 'sessions.session',
    kept: 'a day after it expired',
    why: 'a late request is refused as late',
    forget: {
      rows: deletes({
        table: 'sessions.session',
        by: 'expires_at',
        afterMs: DAY_MS,
        where: 'not exists (select from sessions.auth_code c where c.session_id = t.id)',
      }),
    },
  },
];

/** Where and when the customer logged in: first at each partner, and the logins of which there still is a trace. */
const exportOf: ExportOf = async ({ db }, customerId) => {
  const [partners, logins, sessions] = await Promise.all([
    firstLogins(db, { customerId }),
    loginsOf(db, { customerId }),
    sessionsOf(db, { customerId }),
  ]);
  return { partners, logins, sessions };
};

const at = { id: partner.id, name: partner.name };

const firstLogins = prepared('sessions.export-partners', (db, given: OfCustomer) =>
  db
    .select({ partner: at, firstLoginAt: priorLogin.since, sessionsEndedAt: priorLogin.sessionsEndedAt })
    .from(priorLogin)
    .innerJoin(partner, eq(partner.id, priorLogin.partnerId))
    .where(eq(priorLogin.customerId, given.customerId))
    .orderBy(priorLogin.since),
);
const loginsOf = prepared('sessions.export-logins', (db, given: OfCustomer) =>
  db
    .select({ partner: at, scope: authCode.scope, at: authCode.createdAt, tokenIssuedAt: authCode.exchangedAt })
    .from(authCode)
    .innerJoin(partner, eq(partner.id, authCode.partnerId))
    .where(eq(authCode.customerId, given.customerId))
    .orderBy(desc(authCode.createdAt))
    .limit(EXPORTED_MAX),
);
const sessionsOf = prepared('sessions.export', (db, given: OfCustomer) =>
  db
    .select({
      partner: at,
      issuedAt: session.issuedAt,
      expiresAt: session.expiresAt,
      revokedAt: session.revokedAt,
    })
    .from(session)
    .innerJoin(partner, eq(partner.id, session.partnerId))
    .where(eq(session.customerId, given.customerId))
    .orderBy(desc(session.issuedAt))
    .limit(EXPORTED_MAX),
);

/** Tokens and codes; that the customer has logged in at a partner stays, under their id alone. */
const eraseOf: EraseOf = async ({ tx, now }, customerId) => {
  await endSessionsOf(tx, { customerId }, now); // waits for exchanges under way, whose sessions go with the others
  await Promise.all([eraseCodes(tx, { customerId }), eraseSessions(tx, { customerId })]);
};

const eraseCodes = prepared('sessions.erase-codes', (db, given: OfCustomer) =>
  db.delete(authCode).where(eq(authCode.customerId, given.customerId)),
);
const eraseSessions = prepared('sessions.erase', (db, given: OfCustomer) =>
  db.delete(session).where(eq(session.customerId, given.customerId)),
);

const forwardCodes = preparedText<{ digest: Buffer }>(
  'sessions.bring-codes-forward',
  `update sessions.auth_code set expires_at = expires_at - make_interval(secs => $2)
    where partner_id = $1 and exchanged_at is null and expires_at > $3 returning digest`,
  { writes: true },
);

const forwardSessions = preparedText<{ id: string }>(
  'sessions.bring-forward',
  `update sessions.session set expires_at = expires_at - make_interval(secs => $2)
    where partner_id = $1 and revoked_at is null and expires_at > $3 returning id`,
  { writes: true },
);

/**
 * Lets a time pass for the authorization codes of a partner that can still be exchanged, and for its customers' sessions:
 * a token whose session has expired is good no more. For the sandbox.
 */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds, now }: { partnerId: string; seconds: number; now: Date },
): Promise<{ authCodes: number; sessions: number }> {
  const given = [partnerId, seconds, now];
  const [codes, sessions] = await Promise.all([forwardCodes(tx, given), forwardSessions(tx, given)]);
  const ids = sessions.map(({ id }) => id);
  if (ids.length > 0) forgetAfterCommit(tx, SESSIONS, ids);
  return { authCodes: codes.length, sessions: ids.length };
}

export const room: Room = { retention, routingFacts, exports: { logins: exportOf }, erase: eraseOf };
