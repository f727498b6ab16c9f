import { asc, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { signingKey } from './tables.ts';

export type SigningKeyRow = typeof signingKey.$inferSelect;

/** Locks the generation and rotation of keys until this transaction ends. */
export async function lockKeys(tx: Tx): Promise<void> {
  await lock(tx, []);
}

const lock = preparedText('signing-keys.lock', `select pg_advisory_xact_lock(hashtextextended('signing_keys', 0))`, {
  writes: true,
});

/** All keys, the retired and the revoked ones included, oldest first. */
export const selectKeys = (db: Executor): Promise<SigningKeyRow[]> => allKeys(db, {});

const allKeys = prepared('signing-keys.all', (db) =>
  db.select().from(signingKey).orderBy(asc(signingKey.createdAt), asc(signingKey.kid)),
);

/** Stores a new key. */
export async function insertKey(tx: Tx, values: typeof signingKey.$inferInsert): Promise<void> {
  await add(tx, values, {});
}

const add = preparedColumns('signing-keys.add', signingKey, (db, written: Written<typeof signingKey.$inferInsert>) =>
  db.insert(signingKey).values(written),
);

/** Ends signing with a key: only the verifying half of its pair stays. */
export async function endKey(tx: Tx, kid: string, values: Ended): Promise<void> {
  await change(tx, values, { kid });
}

type Ended = Pick<SigningKeyRow, 'status' | 'privateJwkSealed' | 'retiredAt'> & { revokedAt?: Date };

const change = preparedColumns(
  'signing-keys.change',
  signingKey,
  (db, written: Written<Ended>, given: Given<{ kid: string }>) =>
    db.update(signingKey).set(written).where(eq(signingKey.kid, given.kid)),
);

/** Promotes the next key to current; the previous one must have ended. @returns its kid */
export async function promoteNext(tx: Tx): Promise<string> {
  const current = await promote(tx, {});
  if (current === undefined) throw new Error('there is no next signing key');
  return current.kid;
}

const promote = preparedOne('signing-keys.promote', (db) =>
  db
    .update(signingKey)
    .set({ status: 'CURRENT' })
    .where(eq(signingKey.status, 'NEXT'))
    .returning({ kid: signingKey.kid }),
);
