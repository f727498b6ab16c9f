import type { Pool } from 'pg';
import { type Meter, noMeter } from '#lib/meter.ts';
import { createBatchCall } from '#lib/postgres/batch-calls.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { afterCommit } from '#lib/postgres/transact.ts';
import { toMajor } from './money.ts';
import { tryPost } from './post.ts';
import { type Posting, toJson } from './posting.ts';
import type { Authenticate } from './posting-mac.ts';
import { assertPosted, type Posted, type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/** Counts what became of a posting, and what it moved. */
export function countPosting(
  metrics: Pick<Meter, 'add'>,
  { type, currency, amount }: Pick<Posting, 'type' | 'currency' | 'amount'>,
  result: PostingResult,
): void {
  const outcome =
    'refusal' in result
      ? result.refusal
      : result.replayed
        ? 'replayed'
        : result.status === 'Pending'
          ? 'pending'
          : 'posted';
  metrics.add('paytag_ledger_postings_total', { type, outcome });
  if (outcome === 'posted' || outcome === 'pending')
    metrics.add('paytag_ledger_posted_amount_total', { type, currency }, toMajor(amount));
}

/** Moves money. Each posting is authenticated, so that the books show which postings were made here. */
export interface Poster {
  /**
   * Moves money as `tryPost` does, in a database transaction of its own or shared with postings that came at the same time.
   * Each has its own result. When nobody else is posting it does not wait, and it never waits for an account that only
   * another partner's postings need.
   *
   * @throws DomainError with the code of the refusal, whose reference stays refused; BUSY when too many wait already
   */
  post(posting: Posting): Promise<Posted>;
  /**
   * Moves money in one round trip within the caller's database transaction: reference, status, floor and limit rules,
   * entries, balances and the events of every movement, all or nothing. The same reference with the same request gets the same
   * answer. A refusal is returned, so that the caller can commit the refused reference (`assertPosted` throws it).
   */
  tryPost(tx: Executor, posting: Posting): Promise<PostingResult>;
  /** A posting as `ledger.post` and `ledger.authorize` read it, authenticated: for SQL of another room that posts it with what it changes. */
  json(posting: Posting): string;
}

/** @param posted called after each commit of a posting, also of one that had been committed before: its events may wait */
export function createPoster(
  pool: Pool,
  authenticate: Authenticate,
  posted: () => void,
  metrics: Meter = noMeter,
): Poster {
  const call = createPostingCall(pool, { name: 'ledger.post', poolShare: 0.75, committed: posted, metrics });
  const json = (posting: Posting) => toJson(posting, authenticate);
  return {
    async post(posting) {
      const result = await call(posting.partner ?? posting.owner, json(posting));
      countPosting(metrics, posting, result);
      return assertPosted(result);
    },
    async tryPost(tx, posting) {
      const result = await tryPost(tx, authenticate, posting);
      afterCommit(tx, () => countPosting(metrics, posting, result));
      return result;
    },
    json,
  };
}

/**
 * Calls a function that answers as `ledger.post` does: also one of another room, that posts in the same statement with what it
 * changes. What comes at the same time shares a database transaction.
 */
export function createPostingCall(
  pool: Pool,
  of: Pick<Parameters<typeof createBatchCall>[1], 'name' | 'poolShare' | 'committed' | 'metrics'>,
): (owner: string, member: string) => Promise<PostingResult> {
  const columns = 'ordinal, outcome, replayed, transaction_id, created_at, entries';
  const call = createBatchCall<PostingRow>(pool, { ...of, columns, locksAccounts: true });
  return async (owner, member) => toPostingResult(await call(owner, member));
}
