import type { Executor } from '#lib/database.ts';
import { type DeliveryFilter, scoped } from './filter-store.ts';
import { type DeliveryRow, selectDeliveries } from './store.ts';

/** Deliveries that match, newest first; `count` is of all that match. Ids in the filter must be UUIDs. */
export async function listDeliveries(
  db: Executor,
  { limit, offset, ...filter }: DeliveryFilter & { limit: number; offset: number },
): Promise<{ items: DeliveryRow[]; count: number }> {
  return selectDeliveries(db, await scoped(db, filter), { limit, offset });
}
