import { and, asc, eq, inArray, ne, sql } from '#drizzle';
import type { KeyUse } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { dataKey } from './tables.ts';

export type DataKeyRow = typeof dataKey.$inferSelect;

/** Makes all others that would make or exchange keys wait until this transaction ends. */
export async function lockDataKeys(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('data_keys', 0))`);
}

/** All keys, the destroyed ones included, oldest first. */
export async function selectDataKeys(db: Executor): Promise<DataKeyRow[]> {
  return db.select().from(dataKey).orderBy(asc(dataKey.id));
}

/** What a process looks at again and again. */
type KeyState = Pick<DataKeyRow, 'id' | 'use' | 'status' | 'sealed'>;

/**
 * What changes when a key is made, promoted, retired or destroyed, by which a process sees whether its keys are the present ones;
 * and how many values each has sealed.
 */
export async function selectStates(db: Executor): Promise<KeyState[]> {
  const { id, use, status, sealed } = dataKey;
  return db.select({ id, use, status, sealed }).from(dataKey).orderBy(asc(dataKey.id));
}

/** Adds to how many values a key has sealed: its id, and how many more. */
export const countSealed = preparedText<{ id: number }>(
  'data-keys.count-sealed',
  'select data_keys.count_sealed($1, $2)',
  {
    writes: true,
  },
);

/** Stores new keys. */
export async function insertDataKeys(tx: Tx, values: (typeof dataKey.$inferInsert)[]): Promise<void> {
  await tx.insert(dataKey).values(values);
}

/** Retires the current keys of these uses, and makes the next ones current. */
export async function promoteDataKeys(tx: Tx, uses: KeyUse[], now: Date): Promise<void> {
  const ofStatus = (status: DataKeyRow['status']) => and(inArray(dataKey.use, uses), eq(dataKey.status, status));
  await tx.update(dataKey).set({ status: 'RETIRED', retiredAt: now }).where(ofStatus('CURRENT'));
  await tx.update(dataKey).set({ status: 'CURRENT' }).where(ofStatus('NEXT'));
}

/** Stores a key as another root key wrapped it. */
export async function setWrapped(tx: Tx, id: number, values: { wrapped: Buffer; rootKey: string }): Promise<void> {
  await tx
    .update(dataKey)
    .set(values)
    .where(and(eq(dataKey.id, id), ne(dataKey.status, 'DESTROYED')));
}

/** Forgets a retired key for ever. */
export async function setDestroyed(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .update(dataKey)
    .set({ status: 'DESTROYED', wrapped: null, destroyedAt: now })
    .where(and(eq(dataKey.id, id), eq(dataKey.status, 'RETIRED')));
}

/** Whether this login may exchange, wrap and destroy keys: the owner's may, a server's may not. */
export async function mayChangeKeys(db: Executor): Promise<boolean> {
  const { rows } = await db.execute<{ may: boolean }>(
    sql`select has_table_privilege('data_keys.data_key', 'UPDATE') and has_table_privilege('installation.stamp', 'UPDATE') as may`,
  );
  return rows[0]?.may === true;
}
