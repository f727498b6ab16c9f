import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { wakeAfterCommit } from '#lib/postgres/transact.ts';
import { type Posting, toJson } from './posting.ts';
import type { Authenticate } from './posting-mac.ts';
import { type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

const postOne = preparedText<PostingRow>('ledger.post-one', 'select * from ledger.post($1::jsonb, $2::timestamptz)', {
  writes: true,
});

/** Posts as `Poster.tryPost` does. @param now for tests; otherwise the database's clock */
export async function tryPost(
  db: Executor,
  authenticate: Authenticate,
  posting: Posting,
  now?: Date,
): Promise<PostingResult> {
  const at = now?.toISOString() ?? null;
  const [row] = await postOne(db, [`[${toJson(posting, authenticate)}]`, at]);
  if (row === undefined) throw new Error('ledger.post gave no result');
  const result = toPostingResult(row);
  if (!('refusal' in result)) wakeAfterCommit(db);
  return result;
}
