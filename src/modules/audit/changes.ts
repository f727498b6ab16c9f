import type { Executor } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import { callers } from '#lib/security-events.ts';
import { type AuditFilter, type Entry, insertEntry, selectEntries, selectLastByOthers } from './store.ts';

/** A change that an operator made. Never put a secret into `before` or `after`. */
export interface Change {
  actor: string;
  /** E.g. `partner.create`. */
  action: string;
  target: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | undefined;
}

/** Writes a change to the append-only log, in the database transaction that makes the change, with the id of the request that asks for it. */
export async function recordChange(db: Executor, change: Change): Promise<void> {
  await insertEntry(db, { ...change, requestId: callers.getStore()?.requestId });
}

/** Changes, newest first. `count` is of all that match. */
export async function listChanges(
  db: Executor,
  { limit, offset, cursor, isUncounted, ...filter }: AuditFilter & PageRequest<number>,
): Promise<Listed<Entry, number>> {
  return selectEntries(db, filter, { limit, offset, cursor, isUncounted });
}

/**
 * Who else made any of these changes to somebody, and when last; whoever did so last comes first.
 *
 * @param given.apartFrom an actor, without a name
 */
export async function lastChangesByOthers(
  db: Executor,
  { target, actions, apartFrom }: { target: string; actions: readonly string[]; apartFrom: string },
): Promise<Pick<Entry, 'actor' | 'action' | 'at'>[]> {
  return selectLastByOthers(db, [target, actions, apartFrom]);
}
