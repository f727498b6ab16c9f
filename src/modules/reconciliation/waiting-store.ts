import type { Executor } from '#lib/postgres/executor.ts';
import { countOfWaiting, type HowMuchWaits } from '#lib/postgres/lists.ts';
import type { ItemStatus } from './item-status.ts';
import { rails } from './rails.ts';

const ofStatus = countOfWaiting(
  'reconciliation.of-status',
  'select created_at as at from reconciliation.item where rail = any($1::text[]) and status = $2',
);

/** Lines of banks and postings of ours that have come to a status, on every rail. */
export const itemsInStatus = async (db: Executor, status: ItemStatus): Promise<HowMuchWaits> =>
  ofStatus(db, [rails, status]);
