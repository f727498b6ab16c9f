import { and, eq, gt, lt, ne, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { creationSession } from './tables.ts';

export type CreationRow = typeof creationSession.$inferSelect;

/** Which session: its digest, and the partner it is bound to. */
export interface CreationKey {
  digest: Buffer;
  partnerId: string;
}

const is = ({ digest, partnerId }: CreationKey) =>
  and(eq(creationSession.digest, digest), eq(creationSession.partnerId, partnerId));

export async function insertCreation(db: Executor, values: typeof creationSession.$inferInsert): Promise<CreationRow> {
  const [created] = await db.insert(creationSession).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

export async function selectCreation(db: Executor, key: CreationKey): Promise<CreationRow | undefined> {
  const [found] = await db.select().from(creationSession).where(is(key));
  return found;
}

/** The session, which nobody else changes until this transaction is over. */
export async function lockCreation(tx: Tx, key: CreationKey): Promise<CreationRow | undefined> {
  const [found] = await tx.select().from(creationSession).where(is(key)).for('update');
  return found;
}

export async function updateCreation(tx: Tx, key: CreationKey, values: Partial<CreationRow>): Promise<void> {
  await tx.update(creationSession).set(values).where(is(key));
}

/** Undoes a send that did not happen, unless another came after it: the code before it counts again. */
export async function undoSend(
  db: Executor,
  key: CreationKey,
  { otpReference, before }: { otpReference: string; before: CreationRow },
): Promise<void> {
  await db
    .update(creationSession)
    .set({
      otpDigest: before.otpDigest,
      otpChannel: before.otpChannel,
      otpReference: before.otpReference,
      otpExpiresAt: before.otpExpiresAt,
      otpSentAt: before.otpSentAt,
      otpSends: sql`${creationSession.otpSends} - 1`,
    })
    .where(and(is(key), eq(creationSession.otpReference, otpReference)));
}

/** Ends the customer's resets but for one. */
export async function endOtherResets(
  tx: Tx,
  { customerId, digest }: { customerId: string; digest: Buffer },
  now: Date,
): Promise<void> {
  const other = and(eq(creationSession.customerId, customerId), ne(creationSession.digest, digest));
  await tx
    .update(creationSession)
    .set({ expiresAt: now })
    .where(and(other, eq(creationSession.kind, 'PASSWORD_RESET'), gt(creationSession.expiresAt, now)));
}

export async function deleteCreationsExpiredBefore(db: Executor, moment: Date): Promise<void> {
  await db.delete(creationSession).where(lt(creationSession.expiresAt, moment));
}
