import { asc, eq, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { prepared } from '#lib/prepared.ts';
import { signingKey } from './tables.ts';

export type SigningKeyRow = typeof signingKey.$inferSelect;

/** Makes all other processes that would generate or rotate keys wait until this transaction ends. */
export async function lockKeys(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('signing_keys', 0))`);
}

/** All keys, the retired and the revoked ones included, oldest first. */
export const selectKeys = (db: Executor): Promise<SigningKeyRow[]> => allKeys(db, {});

const allKeys = prepared('signing-keys.all', (db) =>
  db.select().from(signingKey).orderBy(asc(signingKey.createdAt), asc(signingKey.kid)),
);

/** Stores a new key. */
export async function insertKey(tx: Tx, values: typeof signingKey.$inferInsert): Promise<void> {
  await tx.insert(signingKey).values(values);
}

/** Ends signing with a key: what is left of its pair is what verifies. */
export async function endKey(
  tx: Tx,
  kid: string,
  values: Pick<SigningKeyRow, 'status' | 'privateJwkSealed' | 'retiredAt'> & { revokedAt?: Date },
): Promise<void> {
  await tx.update(signingKey).set(values).where(eq(signingKey.kid, kid));
}

/** Makes the next key the current one, which must have been ended before. @returns its kid */
export async function promoteNext(tx: Tx): Promise<string> {
  const [current] = await tx
    .update(signingKey)
    .set({ status: 'CURRENT' })
    .where(eq(signingKey.status, 'NEXT'))
    .returning({ kid: signingKey.kid });
  if (current === undefined) throw new Error('there is no next signing key');
  return current.kid;
}
