import { desc, eq } from '#drizzle';
import { type EraseOf, EXPORTED_MAX, type ExportOf, type OfCustomer } from '#lib/personal-data.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import { partner } from '#modules/partners';
import { endSessionsOf } from './end-store.ts';
import { authCode, priorLogin, session } from './tables.ts';

/** Where and when the customer logged in: first at each partner, and the logins of which there still is a trace. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
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
export const eraseOf: EraseOf = async ({ tx, now }, customerId) => {
  await endSessionsOf(tx, { customerId }, now); // waits for exchanges under way, whose sessions go with the others
  await Promise.all([eraseCodes(tx, { customerId }), eraseSessions(tx, { customerId })]);
};

const eraseCodes = prepared('sessions.erase-codes', (db, given: OfCustomer) =>
  db.delete(authCode).where(eq(authCode.customerId, given.customerId)),
);
const eraseSessions = prepared('sessions.erase', (db, given: OfCustomer) =>
  db.delete(session).where(eq(session.customerId, given.customerId)),
);
