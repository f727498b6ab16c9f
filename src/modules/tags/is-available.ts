import type { Executor } from '../../lib/database.ts';
import { isReserved } from './handle.ts';
import { handleExists } from './store.ts';

/** True when nobody has the handle and anybody may. Only creating it settles who gets it. */
export async function isAvailable(db: Executor, handle: string): Promise<boolean> {
  return !isReserved(handle) && !(await handleExists(db, handle));
}
