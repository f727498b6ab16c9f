import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { type Posting, toJson } from './posting.ts';
import { assertPosted, type Posted, type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/**
 * Moves money in one round trip, within the caller's database transaction if there is one: reference, status, floor and limit
 * rules, entries, balances and the events of every movement, all or nothing. The same reference with the same content gets
 * the same answer. A refusal is returned, so that the caller can commit the refused reference.
 *
 * @param now for tests; otherwise the database's clock
 */
export async function tryPost(db: Executor, posting: Posting, now?: Date): Promise<PostingResult> {
  const at = now?.toISOString() ?? null;
  const { rows } = await db.execute<PostingRow>(
    sql`select * from ledger.post(${`[${toJson(posting)}]`}::jsonb, ${at}::timestamptz)`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('ledger.post gave no result');
  const result = toPostingResult(row);
  if (!('refusal' in result)) wakeAfterCommit(db);
  return result;
}

/**
 * As `tryPost`, for callers who have nothing to do after a refusal.
 *
 * @throws DomainError with the code of the refusal. If it rolls the caller's transaction back, the reference is free again.
 */
export async function post(db: Executor, posting: Posting, now?: Date): Promise<Posted> {
  return assertPosted(await tryPost(db, posting, now));
}
