import { eq, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { signingKey } from './tables.ts';

export type SigningKeyRow = typeof signingKey.$inferSelect;

/** Makes all other processes that would generate or rotate keys wait until this transaction ends. */
export async function lockKeys(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('signing_keys', 0))`);
}

/** All keys, the retired ones included. */
export async function selectKeys(db: Executor): Promise<SigningKeyRow[]> {
  return db.select().from(signingKey);
}

/** Stores a new key. */
export async function insertKey(tx: Tx, values: typeof signingKey.$inferInsert): Promise<void> {
  await tx.insert(signingKey).values(values);
}

/** Retires the current key and makes the next one current. @returns their kids */
export async function promoteNext(tx: Tx, now: Date): Promise<{ retired: string; current: string }> {
  const [retired] = await tx
    .update(signingKey)
    .set({ status: 'RETIRED', retiredAt: now })
    .where(eq(signingKey.status, 'CURRENT'))
    .returning({ kid: signingKey.kid });
  const [current] = await tx
    .update(signingKey)
    .set({ status: 'CURRENT' })
    .where(eq(signingKey.status, 'NEXT'))
    .returning({ kid: signingKey.kid });
  if (retired === undefined || current === undefined) throw new Error('there is no current or no next signing key');
  return { retired: retired.kid, current: current.kid };
}
