import { desc, eq } from '#drizzle';
import { type EraseOf, EXPORTED_MAX, type ExportOf } from '#lib/personal-data.ts';
import { partner } from '#modules/partners';
import { endSessionsOf } from './end-store.ts';
import { authCode, priorLogin, session } from './tables.ts';

/** Where and when the customer logged in: first at each partner, and the logins of which there still is a trace. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
  const at = { id: partner.id, name: partner.name };
  return {
    partners: await db
      .select({ partner: at, firstLoginAt: priorLogin.since, sessionsEndedAt: priorLogin.sessionsEndedAt })
      .from(priorLogin)
      .innerJoin(partner, eq(partner.id, priorLogin.partnerId))
      .where(eq(priorLogin.customerId, customerId))
      .orderBy(priorLogin.since),
    logins: await db
      .select({ partner: at, scope: authCode.scope, at: authCode.createdAt, tokenIssuedAt: authCode.exchangedAt })
      .from(authCode)
      .innerJoin(partner, eq(partner.id, authCode.partnerId))
      .where(eq(authCode.customerId, customerId))
      .orderBy(desc(authCode.createdAt))
      .limit(EXPORTED_MAX),
    sessions: await db
      .select({
        partner: at,
        issuedAt: session.issuedAt,
        expiresAt: session.expiresAt,
        revokedAt: session.revokedAt,
      })
      .from(session)
      .innerJoin(partner, eq(partner.id, session.partnerId))
      .where(eq(session.customerId, customerId))
      .orderBy(desc(session.issuedAt))
      .limit(EXPORTED_MAX),
  };
};

/** Tokens and codes; that the customer has logged in at a partner stays, under their id alone. */
export const eraseOf: EraseOf = async ({ tx, now }, customerId) => {
  await endSessionsOf(tx, { customerId }, now); // waits for exchanges under way, whose sessions go with the others
  await tx.delete(authCode).where(eq(authCode.customerId, customerId));
  await tx.delete(session).where(eq(session.customerId, customerId));
};
