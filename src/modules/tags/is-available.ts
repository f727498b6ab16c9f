import type { Executor } from '#lib/database.ts';
import { isReserved } from '#modules/reserved-names';
import { isTaken } from './store.ts';

/** True when nobody has the handle and anybody may. Only creating it settles who gets it. */
export async function isAvailable(db: Executor, handle: string, now: Date): Promise<boolean> {
  return !isReserved(handle) && !(await isTaken(db, handle, now));
}
