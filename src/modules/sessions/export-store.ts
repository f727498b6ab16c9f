import { desc, eq } from '#drizzle';
import { EXPORTED_MAX, type ExportOf } from '#lib/person-export.ts';
import { partner } from '#modules/partners';
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
