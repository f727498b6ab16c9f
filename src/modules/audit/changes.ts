import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { EXPORTED_MAX, newestOf } from '#lib/room.ts';
import { callers } from '#lib/security-events.ts';
import {
  type AuditFilter,
  type Entry,
  insertEntry,
  selectAbout,
  selectByOthers,
  selectEntries,
  selectGiven,
} from './store.ts';

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
 * What others did to somebody, of these actions, at any time, newest first.
 *
 * @param given.apartFrom an actor, without a name
 */
export async function listChangesByOthers(
  db: Executor,
  { target, actions, apartFrom }: { target: string; actions: readonly string[]; apartFrom: string },
): Promise<Pick<Entry, 'actor' | 'action' | 'at' | 'before' | 'after'>[]> {
  return selectByOthers(db, [target, actions, apartFrom]);
}

/** To how many these actions have ever given a role, whatever became of them since. */
export async function countEverGiven(db: Executor, actions: readonly string[], role: string): Promise<number> {
  return (await selectGiven(db, [actions, role]))[0]?.targets ?? 0;
}

/** What operators did to a person, under any of the names that they have in the log; not which operator. */
export async function exportChangesAbout(
  db: Executor,
  { customerId, others }: { customerId: string; others: readonly string[] },
): Promise<Record<string, unknown>> {
  const about = { targets: [customerId, ...others], found: customerId };
  const { items, count } = await selectAbout(db, about, EXPORTED_MAX);
  // Another customer found by the same search is another person.
  const exported = items.map(({ at, action, target, before, after, reason }) =>
    target === 'customers' ? { at, action, reason } : { at, action, target, before, after, reason },
  );
  return newestOf(exported, count);
}
