import type { Pool } from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { KeyUse } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import { type DataKeyRow, lockDataKeys, selectDataKeys, setDestroyed } from './data-key-store.ts';
import type { OpenKeyring } from './open-keyring.ts';
import { countByKey } from './sealed-values.ts';

/** By then no process writes what it had sealed before a key was retired, and no link or form is good that it signed: one in a mail is for a day. */
const KEPT_MS = 25 * 60 * 60 * 1000;

/** A key that seals, indexes or signs. Never the key itself. */
export interface DataKeyState {
  id: number;
  use: KeyUse;
  status: DataKeyRow['status'];
  /** Which root key wraps it. */
  rootKey: string;
  createdAt: Date;
  retiredAt: Date | undefined;
  destroyedAt: Date | undefined;
  /** Values that it sealed and that stand in the database. */
  values: number | undefined;
  /** All that it has ever sealed. */
  sealed: number | undefined;
}

/** Every key that there ever was, oldest first, with how much each of them has sealed. */
export async function listDataKeys(
  { db, pool }: { db: Database; pool: Pool },
  columns: readonly SealedColumn[],
): Promise<DataKeyState[]> {
  const values = new Map<number, number>();
  for (const column of columns) {
    for (const [key, count] of await countByKey(pool, column)) values.set(key, (values.get(key) ?? 0) + count);
  }
  return (await selectDataKeys(db)).map(({ id, use, status, rootKey, createdAt, sealed, ...ended }) => ({
    id,
    use,
    status,
    rootKey,
    createdAt,
    retiredAt: ended.retiredAt ?? undefined,
    destroyedAt: ended.destroyedAt ?? undefined,
    values: use === 'SEAL' ? (values.get(id) ?? 0) : undefined,
    sealed: use === 'SEAL' ? sealed : undefined,
  }));
}

/**
 * Destroys the retired keys with which nothing is sealed any more, 25 hours after they were retired. What they sealed in an
 * old backup opens with that backup's own keys. Audited.
 *
 * @returns the ids of those that were destroyed, and of those that are kept, with the reason
 */
export async function destroyRetiredKeys(
  deps: { db: Database; pool: Pool; dataKeys: OpenKeyring; clock: Clock },
  { actor, reason }: { actor: string; reason: string },
  columns: readonly SealedColumn[],
): Promise<{ destroyed: number[]; kept: { id: number; why: string }[] }> {
  const now = deps.clock.now();
  const retired = (await listDataKeys(deps, columns)).filter(({ status }) => status === 'RETIRED');
  const kept: { id: number; why: string }[] = [];
  const destroyed: number[] = [];
  for (const { id, values = 0, retiredAt = now } of retired) {
    const isRecent = now.getTime() - retiredAt.getTime() < KEPT_MS;
    if (values > 0) kept.push({ id, why: `${values} values are sealed with it: run "paytag keys rekey" again` });
    else if (isRecent) kept.push({ id, why: 'it was retired less than 25 hours ago' });
    else destroyed.push(id);
  }
  if (destroyed.length > 0) {
    await deps.db.transaction(async (tx) => {
      await lockDataKeys(tx);
      for (const id of destroyed) await setDestroyed(tx, id, now);
      const change = {
        before: { keys: destroyed, status: 'RETIRED' },
        after: { keys: destroyed, status: 'DESTROYED' },
      };
      await recordChange(tx, { actor, action: 'keys.destroy', target: 'data-keys', ...change, reason });
    });
    await deps.dataKeys.refresh();
  }
  return { destroyed, kept };
}
