import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
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
  const [row] = await selectAnswer(db, [requestJson(request), owner, namer, reference]);
  return row && toPostingResult(row);
}

const selectAnswer = preparedText<PostingRow>(
  'ledger.answer-again',
  `select 1 as ordinal, again.*
     from ledger.transaction t, ledger.answer_again($1::jsonb) again
    where t.owner_id = $2 and t.namer = $3 and t.reference = $4`,
);
