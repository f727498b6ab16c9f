import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { type Posting, toJson } from './posting.ts';
import type { Authenticate } from './posting-mac.ts';
import { type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/** Posts as `Poster.tryPost` does. @param now for tests; otherwise the database's clock */
export async function tryPost(
  db: Executor,
  authenticate: Authenticate,
  posting: Posting,
  now?: Date,
): Promise<PostingResult> {
  const at = now?.toISOString() ?? null;
  const { rows } = await db.execute<PostingRow>(
    sql`select * from ledger.post(${`[${toJson(posting, authenticate)}]`}::jsonb, ${at}::timestamptz)`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('ledger.post gave no result');
  const result = toPostingResult(row);
  if (!('refusal' in result)) wakeAfterCommit(db);
  return result;
}
