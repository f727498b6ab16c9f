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

/** Stores a new session. */
export async function insertCreation(db: Executor, values: typeof creationSession.$inferInsert): Promise<CreationRow> {
  const [created] = await db.insert(creationSession).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

/** The session, read without a lock. */
export async function selectCreation(db: Executor, key: CreationKey): Promise<CreationRow | undefined> {
  const [found] = await db.select().from(creationSession).where(is(key));
  return found;
}

/** The session. Locked until the transaction ends. */
export async function lockCreation(tx: Tx, key: CreationKey): Promise<CreationRow | undefined> {
  const [found] = await tx.select().from(creationSession).where(is(key)).for('update');
  return found;
}

/** Changes a session that the transaction has locked. */
export async function updateCreation(tx: Tx, key: CreationKey, values: Partial<CreationRow>): Promise<void> {
  await tx.update(creationSession).set(values).where(is(key));
}

/** Takes back a send that did not happen, unless another came after it: the code before it counts again. */
export async function undoSend(
  db: Executor,
  key: CreationKey,
  { codeReference, before }: { codeReference: string; before: CreationRow },
): Promise<void> {
  await db
    .update(creationSession)
    .set({
      codeDigest: before.codeDigest,
      codeChannel: before.codeChannel,
      codeReference: before.codeReference,
      codeExpiresAt: before.codeExpiresAt,
      sentAt: before.sentAt,
      sends: sql`${creationSession.sends} - 1`,
    })
    .where(and(is(key), eq(creationSession.codeReference, codeReference)));
}

/** Expires every password reset of a customer, except one if that is given. */
export async function endResets(
  tx: Tx,
  { customerId, except }: { customerId: string; except?: Buffer | undefined },
  now: Date,
): Promise<void> {
  const theirs = and(eq(creationSession.customerId, customerId), eq(creationSession.kind, 'PASSWORD_RESET'));
  const other = except === undefined ? undefined : ne(creationSession.digest, except);
  await tx
    .update(creationSession)
    .set({ expiresAt: now })
    .where(and(theirs, other, gt(creationSession.expiresAt, now)));
}

/** Expires the changes of a customer's contacts that wait for their code. @returns whether there was one */
export async function endContactChanges(tx: Tx, customerId: string, now: Date): Promise<boolean> {
  const theirs = and(eq(creationSession.customerId, customerId), eq(creationSession.kind, 'CONTACT_CHANGE'));
  const ended = await tx
    .update(creationSession)
    .set({ expiresAt: now })
    .where(and(theirs, eq(creationSession.status, 'STARTED'), gt(creationSession.expiresAt, now)))
    .returning({ digest: creationSession.digest });
  return ended.length > 0;
}

/** Expires every session of a customer, whatever it is for. */
export async function endCreationsOf(tx: Tx, customerId: string, now: Date): Promise<void> {
  await tx
    .update(creationSession)
    .set({ expiresAt: now })
    .where(and(eq(creationSession.customerId, customerId), gt(creationSession.expiresAt, now)));
}

/** Deletes the sessions that expired before a moment, and the personal data in them. */
export async function deleteCreationsExpiredBefore(db: Executor, moment: Date): Promise<void> {
  await db.delete(creationSession).where(lt(creationSession.expiresAt, moment));
}
