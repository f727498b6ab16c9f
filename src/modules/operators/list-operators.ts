import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type Operator, selectOperators } from './store.ts';

/** Operators, newest first, without root, who is not stored. `count` is of all that match. */
export async function listOperators(
  db: Executor,
  { status, ...page }: { status?: Operator['status'] | undefined } & PageRequest<string>,
): Promise<Listed<Operator, string>> {
  return selectOperators(db, status, page);
}
