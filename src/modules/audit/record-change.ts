import type { Executor } from '#lib/database.ts';
import { insertEntry } from './store.ts';

/** A change an operator made. Secrets never belong in `before` or `after`. */
export interface Change {
  actor: string;
  /** As `partner.create`. */
  action: string;
  target: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | undefined;
}

/** Writes a change to the append-only log, in the transaction that makes it. */
export async function recordChange(db: Executor, change: Change): Promise<void> {
  await insertEntry(db, change);
}
