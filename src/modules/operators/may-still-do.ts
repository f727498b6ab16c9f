import type { Executor } from '#lib/postgres/executor.ts';
import { root } from './authenticate-operator.ts';
import { mayDo, type Role } from './roles.ts';
import { selectOperator } from './store.ts';

/** Whether an operator, or root, may do now what asks for a role: they are not disabled, and their role reaches. */
export async function mayStillDo(db: Executor, id: string, needs: Role): Promise<boolean> {
  if (id === root.id) return true;
  const found = await selectOperator(db, id);
  return found?.status === 'ACTIVE' && mayDo(found.role, needs);
}
