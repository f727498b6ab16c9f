import { DatabaseError, type Pool } from 'pg';
import { type Posting, toJson } from './posting.ts';
import { assertPosted, type Posted, type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/** Postings in one call at most: it bounds how long its accounts stay locked. */
const BATCH_MAX = 64;
/** Calls under way at once. While they are, what comes is gathered for the next. */
const CALLS_MAX = 2;

interface Waiting {
  posting: string;
  resolve: (outcome: PostingResult) => void;
  reject: (error: unknown) => void;
}

/** Posts what stands alone, gathering what comes at the same time into one transaction. */
export interface Poster {
  /**
   * Moves money as `post` does, in a transaction of its own or shared with postings that came at the same time; none of
   * them touches another's outcome. Waits for nobody when nobody is posting.
   *
   * @throws DomainError with the code of the refusal, whose reference stays refused
   */
  post(posting: Posting): Promise<Posted>;
}

const POST = {
  name: 'ledger-post',
  text: 'select ordinal, outcome, replayed, transaction_id, created_at, entries from ledger.post($1::jsonb)',
};

/** @param posted called after each commit that moved money */
export function createPoster(pool: Pool, posted: () => void): Poster {
  const waiting: Waiting[] = [];
  let calls = 0;

  async function call(batch: readonly Waiting[]): Promise<void> {
    const { rows } = await pool.query<PostingRow>({ ...POST, values: [`[${batch.map((one) => one.posting).join()}]`] });
    if (rows.length !== batch.length) throw new Error('ledger.post gave not one outcome for each posting');
    if (rows.some((row) => !row.replayed)) posted();
    for (const row of rows) batch[row.ordinal - 1]?.resolve(toPostingResult(row));
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
   * One by one, so that only the one it was about fails. Should the batch have been committed and its answer lost, each
   * reference answers as it did. When the database is not there to answer at all, none of the rest tries.
   */
  async function settleEach(batch: readonly Waiting[]): Promise<void> {
    let away: unknown;
    for (const one of batch) {
      if (away !== undefined) one.reject(away);
      else
        await call([one]).catch((error: unknown) => {
          one.reject(error);
          if (!(error instanceof DatabaseError)) away = error;
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
      const outcome = await new Promise<PostingResult>((resolve, reject) => {
        waiting.push({ posting: toJson(posting), resolve, reject });
        pump();
      });
      return assertPosted(outcome);
    },
  };
}
