import type { Executor } from '#lib/database.ts';
import { type AuditFilter, type Entry, selectEntries } from './store.ts';

/** What was changed, newest first; `count` is of all that match. */
export async function listChanges(
  db: Executor,
  { limit, offset, ...filter }: AuditFilter & { limit: number; offset: number },
): Promise<{ items: Entry[]; count: number }> {
  return selectEntries(db, filter, { limit, offset });
}
