import type { Pool } from 'pg';
import { type Meter, noMeter } from '#lib/meter.ts';
import { createBatchCall } from '#lib/postgres/batch-calls.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { afterCommit, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { toMajor } from './money.ts';
import {
  type Authenticate,
  assertPosted,
  type Posted,
  type Posting,
  type PostingResult,
  type PostingRow,
  type Request,
  requestJson,
  toJson,
  toPostingResult,
} from './posting.ts';

/** Moves money. Each posting is authenticated, so that the books show which postings were made here. */
export interface Poster {
  /**
   * Moves money as `tryPost` does, in a database transaction of its own or shared with postings that came at the same time.
   * Each has its own result. An idle server posts at once, and a posting never waits for an account that only another partner's
   * postings need.
   *
   * @throws DomainError with the code of the refusal, whose reference stays refused; BUSY when too many are queued
   */
  post(posting: Posting): Promise<Posted>;
  /**
   * Moves money in one round trip within the caller's database transaction: reference, status, floor and limit rules,
   * entries, balances and the events of every movement, all or nothing. The same reference with the same request gets the same
   * answer. A refusal is returned, so that the caller can commit the refused reference (`assertPosted` throws it).
   */
  tryPost(tx: Executor, posting: Posting): Promise<PostingResult>;
  /** A posting as `ledger.post` and `ledger.authorize` read it, with its MAC: for another room's SQL function that posts it. */
  json(posting: Posting): string;
}

/** @param posted called after each commit of a posting, also of a repeated one, whose events may be undelivered */
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
 * Calls `ledger.post`, or another room's function that posts and answers like it. Concurrent calls share a database
 * transaction.
 */
export function createPostingCall(
  pool: Pool,
  of: Pick<Parameters<typeof createBatchCall>[1], 'name' | 'poolShare' | 'committed' | 'metrics'>,
): (owner: string, member: string) => Promise<PostingResult> {
  const columns = 'ordinal, outcome, replayed, transaction_id, created_at, entries';
  const call = createBatchCall<PostingRow>(pool, { ...of, columns, locksAccounts: true });
  return async (owner, member) => toPostingResult(await call(owner, member));
}

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

const postOne = preparedText<PostingRow>('ledger.post-one', 'select * from ledger.post($1::jsonb, $2::timestamptz)', {
  writes: true,
});

/** Counts a posting by its outcome, and its amount. */
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

/**
 * The first result of a repeated request, for a caller that can no longer describe the posting because, say, its wallet was
 * revoked or the payee closed their tag. Posts nothing.
 *
 * @returns undefined when the reference was never used; the refusal REFERENCE_REUSED when it stands for another request
 */
export async function findFirstResult(db: Executor, request: Request): Promise<PostingResult | undefined> {
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

/**
 * Moves what `ledger.authorize` held, with its charges, and publishes it, whatever the wallet's state: the money has left
 * already. A transaction captured or voided before stays as it is.
 *
 * @returns the transaction's status: Successful, or its earlier final status
 */
export async function capture(tx: Tx, transactionId: number): Promise<string> {
  const [row] = await captureHeld(tx, [transactionId]);
  wakeAfterCommit(tx);
  return row?.status ?? '';
}

interface Status extends Record<string, unknown> {
  status: string;
}

const captureHeld = preparedText<Status>('ledger.capture', 'select ledger.capture($1) as status', { writes: true });

/**
 * Releases what `ledger.authorize` held: no money moves and no event is published. A transaction captured or voided before stays
 * as it is.
 *
 * @param reason the transaction's FailureReason
 * @returns the transaction's status: Voided, or its earlier final status
 */
export async function voidTransaction(tx: Tx, transactionId: number, reason: string): Promise<string> {
  const [row] = await voidHeld(tx, [transactionId, reason]);
  return row?.status ?? '';
}

const voidHeld = preparedText<Status>('ledger.void', 'select ledger.void($1, $2) as status', { writes: true });

/** The status of the account that a transaction takes its money from. */
export async function sourceStatusOf(db: Executor, transactionId: number): Promise<string | undefined> {
  return (await selectSourceStatus(db, [transactionId]))[0]?.status;
}

const selectSourceStatus = preparedText<Status>(
  'ledger.source-status',
  'select a.status from ledger.transaction t join ledger.account a on a.id = t.source_id where t.id = $1',
);
