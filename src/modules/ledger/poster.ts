import { DatabaseError, type Pool } from 'pg';
import type { Executor } from '#lib/database.ts';
import { tryPost } from './post.ts';
import { type Posting, toJson } from './posting.ts';
import type { Authenticate } from './posting-mac.ts';
import { assertPosted, type Posted, type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/** Postings in one call at most, which bounds how long their accounts stay locked. */
const BATCH_MAX = 64;
/** Calls at the same time. Postings that come meanwhile are gathered for the next call. */
const CALLS_MAX = 2;

interface Waiting {
  posting: string;
  resolve: (result: PostingResult) => void;
  reject: (error: unknown) => void;
}

/** Moves money. Each posting is authenticated, so that the books show which postings were made here. */
export interface Poster {
  /**
   * Moves money as `tryPost` does, in a database transaction of its own or shared with postings that came at the same time.
   * Each has its own result. When nobody else is posting it does not wait.
   *
   * @throws DomainError with the code of the refusal, whose reference stays refused
   */
  post(posting: Posting): Promise<Posted>;
  /**
   * Moves money in one round trip within the caller's database transaction: reference, status, floor and limit rules,
   * entries, balances and the events of every movement, all or nothing. The same reference with the same request gets the same
   * answer. A refusal is returned, so that the caller can commit the refused reference (`assertPosted` throws it).
   */
  tryPost(tx: Executor, posting: Posting): Promise<PostingResult>;
}

const POST = {
  name: 'ledger-post',
  text: 'select ordinal, outcome, replayed, transaction_id, created_at, entries from ledger.post($1::jsonb)',
};

/** @param posted called after each commit of a posting, also of one that had been committed before: its events may wait */
export function createPoster(pool: Pool, authenticate: Authenticate, posted: () => void): Poster {
  const waiting: Waiting[] = [];
  let calls = 0;

  async function call(batch: readonly Waiting[]): Promise<void> {
    const { rows } = await pool.query<PostingRow>({ ...POST, values: [`[${batch.map((one) => one.posting).join()}]`] });
    if (rows.length !== batch.length) throw new Error('ledger.post gave not one result for each posting');
    posted();
    for (const row of rows) {
      const one = batch[row.ordinal - 1];
      try {
        one?.resolve(toPostingResult(row));
      } catch (defect) {
        one?.reject(defect); // the batch is committed: what is wrong with one answer is nobody else's
      }
    }
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await call(batch);
    } catch (error) {
      const [only, ...others] = batch;
      if (others.length === 0) only?.reject(error);
      else await settleEach(batch);
    }
  }

  /**
   * One by one, so that only the posting at fault fails. If the batch was committed and its answer lost, each reference
   * answers as it did. Once the database does not answer at all, the rest are not tried.
   */
  async function settleEach(batch: readonly Waiting[]): Promise<void> {
    let disconnected: unknown;
    for (const one of batch) {
      if (disconnected !== undefined) one.reject(disconnected);
      else
        await call([one]).catch((error: unknown) => {
          one.reject(error);
          if (!(error instanceof DatabaseError)) disconnected = error;
        });
    }
  }

  function pump(): void {
    while (calls < CALLS_MAX && waiting.length > 0) {
      calls += 1;
      void settle(waiting.splice(0, BATCH_MAX)).finally(() => {
        calls -= 1;
        pump();
      });
    }
  }

  return {
    async post(posting) {
      const result = await new Promise<PostingResult>((resolve, reject) => {
        waiting.push({ posting: toJson(posting, authenticate), resolve, reject });
        pump();
      });
      return assertPosted(result);
    },
    tryPost: (tx, posting) => tryPost(tx, authenticate, posting),
  };
}
