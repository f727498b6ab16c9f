import { eq, lte, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import type { ReceiverRow } from './store.ts';
import { receiver } from './tables.ts';

type Secrets = Pick<ReceiverRow, 'secretSealed' | 'secretRotatedAt' | 'previousSecretSealed' | 'previousSecretUntil'>;

export async function setReceiverSecret(tx: Tx, id: string, secrets: Secrets): Promise<ReceiverRow> {
  const changed = { ...secrets, updatedAt: sql`now()` };
  const [updated] = await tx.update(receiver).set(changed).where(eq(receiver.id, id)).returning();
  if (updated === undefined) throw new Error('a locked receiver is gone');
  return updated;
}

export async function clearPreviousSecrets(db: Executor, now: Date): Promise<void> {
  const cleared = { previousSecretSealed: null, previousSecretUntil: null };
  await db.update(receiver).set(cleared).where(lte(receiver.previousSecretUntil, now));
}
