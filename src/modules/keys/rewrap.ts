import type { Database } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import { lockDataKeys, selectDataKeys, setWrapped } from './data-key-store.ts';
import { stampRootKey } from './stamp-installation.ts';
import { type RootKeys, unwrap, wrap } from './wrapping.ts';

/**
 * Wraps every stored key with the root key that comes first, in one transaction: MASTER_KEY in place of MASTER_KEY_PREVIOUS,
 * or the keeper's key in place of MASTER_KEY. Nothing that is sealed changes, and processes that run go on with the keys they
 * have. Repeated, it wraps them once more, e.g. with a newer version of the keeper's key. Audited.
 *
 * @returns how many keys, and which root key wraps them now
 */
export async function rewrapDataKeys(
  { db, roots }: { db: Database; roots: RootKeys },
  { actor, reason }: { actor: string; reason: string },
): Promise<{ keys: number; rootKey: string }> {
  const [root] = roots;
  return db.transaction(async (tx) => {
    await lockDataKeys(tx);
    const rows = await selectDataKeys(tx);
    let keys = 0;
    for (const row of rows) {
      if (row.wrapped === null) continue;
      const { wrapped, rootKey } = await wrap(root, await unwrap(roots, row, row.wrapped));
      await setWrapped(tx, row.id, { wrapped, rootKey });
      keys += 1;
    }
    await stampRootKey(tx, root.id);
    const before = { rootKeys: [...new Set(rows.map(({ rootKey }) => rootKey))] };
    await recordChange(tx, {
      actor,
      action: 'keys.rewrap',
      target: 'data-keys',
      before,
      after: { rootKey: root.id },
      reason,
    });
    return { keys, rootKey: root.id };
  });
}
