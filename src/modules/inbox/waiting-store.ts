import type { Executor } from '#lib/postgres/executor.ts';
import { countOfWaiting } from '#lib/postgres/lists.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** Messages of providers that differ from what is booked. */
export const differingMessages = countOfWaiting(
  'inbox.differing',
  `select received_at as at from inbox.message where state in ('RECEIVED', 'DIFFERENT') and state = 'DIFFERENT'`,
);

const selectUnreadable = preparedText<{ count: number }>(
  'inbox.unreadable',
  `select count(*)::int as count from inbox.message
    where state in ('RECEIVED', 'DIFFERENT') and state = 'DIFFERENT' and difference = 'UNREADABLE'`,
);

/** How many messages of providers are not as these document them and were looked at by nobody yet, for metrics. */
export async function measureUnreadable(db: Executor): Promise<number> {
  return (await selectUnreadable(db, []))[0]?.count ?? 0;
}
