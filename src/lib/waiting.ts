import { COUNTED_MAX, type Count } from './counts.ts';
import type { Executor } from './database.ts';
import { preparedText } from './prepared.ts';

/** How much of something waits for somebody, and since when the first of it does. */
export interface HowMuchWaits extends Count {
  since: Date | undefined;
}

/**
 * Counts what waits: exactly up to ten thousand. Of more the number is ten thousand, which is enough to know.
 *
 * @param name of the statement, e.g. `approvals.waiting`
 * @param rows a select of one moment, `at`, for each thing that waits, served by an index of those alone
 */
export function countOfWaiting(
  name: string,
  rows: string,
): (db: Executor, values?: unknown[]) => Promise<HowMuchWaits> {
  const read = preparedText<{ found: number; since: string | null }>(
    name,
    `select count(*)::int as found, to_json(min(w.at)) #>> '{}' as since from (${rows} limit ${COUNTED_MAX + 1}) w`,
  );
  return async (db, values = []) => {
    const { found = 0, since = null } = (await read(db, values))[0] ?? {};
    return {
      count: Math.min(found, COUNTED_MAX),
      countIsExact: found <= COUNTED_MAX,
      since: since === null ? undefined : new Date(since),
    };
  };
}
