import type { Executor } from '#lib/database.ts';
import { type PartnerRow, selectPartner } from './store.ts';

/** A partner by our own id of it, or undefined. */
export async function findPartner(
  db: Executor,
  id: string,
): Promise<Pick<PartnerRow, 'id' | 'name' | 'status'> | undefined> {
  return selectPartner(db, id);
}
