import type { Executor } from '#lib/postgres/executor.ts';
import { EXPORTED_MAX, newestOf } from '#lib/room.ts';
import { selectAbout } from './store.ts';

/** What operators did to a person, under any of the names that they have in the log; not which operator. */
export async function exportChangesAbout(
  db: Executor,
  { customerId, others }: { customerId: string; others: readonly string[] },
): Promise<Record<string, unknown>> {
  const about = { targets: [customerId, ...others], found: customerId };
  const { items, count } = await selectAbout(db, about, EXPORTED_MAX);
  // Who was found beside them by one search is another person.
  const exported = items.map(({ at, action, target, before, after, reason }) =>
    target === 'customers' ? { at, action, reason } : { at, action, target, before, after, reason },
  );
  return newestOf(exported, count);
}
