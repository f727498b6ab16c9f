import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { type Posting, toJson } from './posting.ts';
import { assertPosted, type Posted, type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/**
 * Moves money in one round trip, within the caller's transaction if there is one: reference, status, floor and limit
 * rules, entries, balances and the events of every movement, all or nothing. The same reference with the same content
 * answers as it did the first time. A refusal is an outcome here, so that a transaction can commit the reference that
 * stands for it.
 *
 * @param now for tests; otherwise the database's clock
 */
export async function tryPost(db: Executor, posting: Posting, now?: Date): Promise<PostingResult> {
  const at = now?.toISOString() ?? null;
  const { rows } = await db.execute<PostingRow>(
    sql`select * from ledger.post(${`[${toJson(posting)}]`}::jsonb, ${at}::timestamptz)`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('ledger.post gave no outcome');
  const outcome = toPostingResult(row);
  if (!('refusal' in outcome || outcome.replayed)) wakeAfterCommit(db);
  return outcome;
}

/**
 * `tryPost` for callers who have nothing to do after a refusal.
 *
 * @throws DomainError with the code of the refusal. Thrown out of a transaction, it takes the reference with it.
 */
export async function post(db: Executor, posting: Posting, now?: Date): Promise<Posted> {
  return assertPosted(await tryPost(db, posting, now));
}
