import type { Executor } from '#lib/database.ts';
import { selectById } from './store.ts';
import { type SwitchTransaction, toTransaction } from './transaction.ts';

/** A transaction that is certainly there, as it is now. */
export async function readTransaction(db: Executor, id: string, now: Date): Promise<SwitchTransaction> {
  const found = await selectById(db, id);
  if (found === undefined) throw new Error(`there is no transaction ${id}`);
  return toTransaction(found, now);
}
