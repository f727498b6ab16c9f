import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { type Request, requestJson } from './posting.ts';
import { type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/**
 * What a request came to when it was posted before, for a caller who cannot describe the posting any more: its wallet was
 * revoked, say, or its payee closed their tag. Nothing is posted.
 *
 * @returns undefined when the reference was never used; the refusal REFERENCE_REUSED when it stands for another request
 */
export async function answerAgain(db: Executor, request: Request): Promise<PostingResult | undefined> {
  const { owner, namer, reference } = request;
  const { rows } = await db.execute<PostingRow>(sql`
    select 1 as ordinal, again.*
    from ledger.transaction t, ledger.answer_again(${requestJson(request)}::jsonb) again
    where t.owner_id = ${owner} and t.namer = ${namer} and t.reference = ${reference}`);
  return rows[0] && toPostingResult(rows[0]);
}
