import type { Executor } from '#lib/database.ts';
import { parseHandle } from '#modules/tags';
import { selectByHandle } from './store.ts';

/** A customer whom money can be sent to by her PayTag. */
export interface Payee {
  customerId: string;
  /** Her PayTag is suspended: she is to be sent nothing. */
  isSuspended: boolean;
}

/** Whose PayTag a text names, with or without its `@`. A closed PayTag is nobody's. */
export async function findPayee(db: Executor, paytag: string): Promise<Payee | undefined> {
  const handle = parseHandle(paytag);
  const found = handle === undefined ? undefined : await selectByHandle(db, handle);
  if (found === undefined || found.tagStatus === 'CLOSED') return undefined;
  return { customerId: found.customer.id, isSuspended: found.tagStatus === 'SUSPENDED' };
}
