import type { Pool } from 'pg';
import { and, eq, gt, isNull, lt, notExists } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { acquaintance, authCode, session } from './tables.ts';

export type AuthCodeRow = typeof authCode.$inferSelect;
export type SessionRow = typeof session.$inferSelect;

/** Which code: its digest, and the partner it is bound to. */
export interface CodeKey {
  digest: Buffer;
  partnerId: string;
}

const is = ({ digest, partnerId }: CodeKey) => and(eq(authCode.digest, digest), eq(authCode.partnerId, partnerId));

/** Which customer, at which partner. */
interface Pair {
  partnerId: string;
  customerId: string;
}

export async function areAcquainted(db: Executor, { partnerId, customerId }: Pair): Promise<boolean> {
  const found = await db
    .select({ since: acquaintance.since })
    .from(acquaintance)
    .where(and(eq(acquaintance.customerId, customerId), eq(acquaintance.partnerId, partnerId)));
  return found.length > 0;
}

export async function insertAcquaintance(tx: Tx, pair: Pair, since: Date): Promise<void> {
  await tx
    .insert(acquaintance)
    .values({ ...pair, since })
    .onConflictDoNothing();
}

export async function insertAuthCode(tx: Tx, values: typeof authCode.$inferInsert): Promise<void> {
  await tx.insert(authCode).values(values);
}

/** Uses the code up: of any number at once, one gets it. The others wait here until that one's transaction is over. */
export async function useAuthCode(tx: Tx, key: CodeKey, now: Date): Promise<AuthCodeRow | undefined> {
  const [used] = await tx
    .update(authCode)
    .set({ exchangedAt: now })
    .where(and(is(key), isNull(authCode.exchangedAt), gt(authCode.expiresAt, now)))
    .returning();
  return used;
}

export async function selectAuthCode(db: Executor, key: CodeKey): Promise<AuthCodeRow | undefined> {
  const [found] = await db.select().from(authCode).where(is(key));
  return found;
}

export async function nameSessionOfCode(tx: Tx, key: CodeKey, sessionId: string): Promise<void> {
  await tx.update(authCode).set({ sessionId }).where(is(key));
}

export async function insertSession(tx: Tx, values: typeof session.$inferInsert): Promise<void> {
  await tx.insert(session).values(values);
}

export async function revokeSession(db: Executor, id: string, now: Date): Promise<void> {
  await db
    .update(session)
    .set({ revokedAt: now })
    .where(and(eq(session.id, id), isNull(session.revokedAt)));
}

const belongsTo = (
  table: typeof authCode | typeof session,
  { customerId, partnerId }: { customerId: string; partnerId?: string | undefined },
) => and(eq(table.customerId, customerId), partnerId === undefined ? undefined : eq(table.partnerId, partnerId));

/** Waits for exchanges under way. */
export async function expireCodesOf(
  tx: Tx,
  whose: { customerId: string; partnerId?: string | undefined },
  now: Date,
): Promise<void> {
  await tx
    .update(authCode)
    .set({ expiresAt: now })
    .where(and(belongsTo(authCode, whose), isNull(authCode.exchangedAt), gt(authCode.expiresAt, now)));
}

export async function revokeSessionsOf(
  tx: Tx,
  whose: { customerId: string; partnerId?: string | undefined },
  now: Date,
): Promise<void> {
  await tx
    .update(session)
    .set({ revokedAt: now })
    .where(and(belongsTo(session, whose), isNull(session.revokedAt), gt(session.expiresAt, now)));
}

const LIVE = `
  select 1 from sessions.session
   where id = $1 and partner_id = $2 and customer_id = $3 and revoked_at is null and expires_at > $4`;

/** True while the session lives. Prepared: every customer call asks for it. */
export async function isSessionLive(
  pool: Pool,
  { id, partnerId, customerId }: { id: string; partnerId: string; customerId: string },
  now: Date,
): Promise<boolean> {
  const values = [id, partnerId, customerId, now];
  const { rowCount } = await pool.query({ name: 'session-live', text: LIVE, values });
  return rowCount === 1;
}

/** Codes go before the sessions that they name. */
export async function deleteSessionsExpiredBefore(db: Executor, moment: Date): Promise<void> {
  await db.delete(authCode).where(lt(authCode.expiresAt, moment));
  await db
    .delete(session)
    .where(
      and(
        lt(session.expiresAt, moment),
        notExists(db.select({ digest: authCode.digest }).from(authCode).where(eq(authCode.sessionId, session.id))),
      ),
    );
}
