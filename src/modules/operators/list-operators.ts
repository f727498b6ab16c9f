import type { Executor } from '#lib/database.ts';
import { type Operator, selectOperators } from './store.ts';

/** Operators, newest first, without root, who is not stored. `count` is of all that match. */
export async function listOperators(
  db: Executor,
  { status, ...page }: { status?: Operator['status'] | undefined; limit: number; offset: number },
): Promise<{ items: Operator[]; count: number }> {
  return selectOperators(db, status, page);
}
