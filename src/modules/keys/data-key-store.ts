import { and, asc, eq, inArray, ne, sql } from '#drizzle';
import type { KeyUse } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { dataKey } from './tables.ts';

export type DataKeyRow = typeof dataKey.$inferSelect;

/** Locks the creation and exchange of keys until this transaction ends. */
export async function lockDataKeys(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('data_keys', 0))`);
}

/** All keys, the destroyed ones included, oldest first. */
export async function selectDataKeys(db: Executor): Promise<DataKeyRow[]> {
  return db.select().from(dataKey).orderBy(asc(dataKey.id));
}

/** The state that a process checks regularly. */
type KeyState = Pick<DataKeyRow, 'id' | 'use' | 'status' | 'sealed'>;

/**
 * The states of all keys, by which a process sees that keys were created, promoted, retired or destroyed; and the number of values that
 * each has sealed.
 */
export async function selectStates(db: Executor): Promise<KeyState[]> {
  const { id, use, status, sealed } = dataKey;
  return db.select({ id, use, status, sealed }).from(dataKey).orderBy(asc(dataKey.id));
}

/** Adds to the number of values that a key has sealed. Parameters: its id, and how many more. */
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

/** Retires the current keys of these uses, and promotes the next ones. */
export async function promoteDataKeys(tx: Tx, uses: KeyUse[], now: Date): Promise<void> {
  const ofStatus = (status: DataKeyRow['status']) => and(inArray(dataKey.use, uses), eq(dataKey.status, status));
  await tx.update(dataKey).set({ status: 'RETIRED', retiredAt: now }).where(ofStatus('CURRENT'));
  await tx.update(dataKey).set({ status: 'CURRENT' }).where(ofStatus('NEXT'));
}

/** Stores a key wrapped by another root key. */
export async function setWrapped(tx: Tx, id: number, values: { wrapped: Buffer; rootKey: string }): Promise<void> {
  await tx
    .update(dataKey)
    .set(values)
    .where(and(eq(dataKey.id, id), ne(dataKey.status, 'DESTROYED')));
}

/** Destroys a retired key. */
export async function setDestroyed(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .update(dataKey)
    .set({ status: 'DESTROYED', wrapped: null, destroyedAt: now })
    .where(and(eq(dataKey.id, id), eq(dataKey.status, 'RETIRED')));
}

/** Whether this login may exchange, wrap and destroy keys: the owner may, a server may not. */
export async function mayChangeKeys(db: Executor): Promise<boolean> {
  const { rows } = await db.execute<{ may: boolean }>(
    sql`select has_table_privilege('data_keys.data_key', 'UPDATE') and has_table_privilege('installation.stamp', 'UPDATE') as may`,
  );
  return rows[0]?.may === true;
}
