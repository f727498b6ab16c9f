import { DatabaseError, type Pool } from 'pg';
import type { Executor } from '#lib/database.ts';
import { tryPost } from './post.ts';
import { type Posting, toJson } from './posting.ts';
import type { Authenticate } from './posting-mac.ts';
import { type Batch, createPostingQueues } from './posting-queues.ts';
import { assertPosted, type Posted, type PostingResult, type PostingRow, toPostingResult } from './posting-result.ts';

/** Calls at the same time, those that are kept waiting not counted. Postings that come meanwhile are gathered for the next one. */
const CALLS_MAX = 2;
/** Calls of one partner at the same time. */
const PARTNER_CALLS_MAX = 2;
/** A call that takes longer is kept waiting by a locked account, and others need not wait for it. */
const STALL_MS = 250;
/** The part of the pool that calls may take when they are kept waiting: the rest of the server needs connections too. */
const POOL_SHARE = 0.75;

interface Waiting {
  /** Whose queue it waits in. */
  partner: string;
  posting: string;
  resolve: (result: PostingResult) => void;
  reject: (error: unknown) => void;
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
}

const COLUMNS = 'ordinal, outcome, replayed, transaction_id, created_at, entries';
const POST = { name: 'ledger-post', text: `select ${COLUMNS} from ledger.post($1::jsonb)` };
/** Lets go of all its locks, and fails, when it is kept waiting for one. */
const POST_OR_LET_GO = {
  name: 'ledger-post-or-let-go',
  text: `select ${COLUMNS} from set_config('lock_timeout', '${STALL_MS}ms', true) s,
    lateral ledger.post(case when s is not null then $1::jsonb end)`,
};

const isLockTimeout = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03';

/** @param posted called after each commit of a posting, also of one that had been committed before: its events may wait */
export function createPoster(pool: Pool, authenticate: Authenticate, posted: () => void): Poster {
  const queues = createPostingQueues<Waiting>();
  const underWayMax = Math.max(1, Math.floor(pool.options.max * POOL_SHARE));
  let underWay = 0;
  let stalled = 0;

  async function call(items: readonly Waiting[], statement = POST): Promise<void> {
    const values = [`[${items.map((one) => one.posting).join()}]`];
    const { rows } = await pool.query<PostingRow>({ ...statement, values });
    if (rows.length !== items.length) throw new Error('ledger.post gave not one result for each posting');
    posted();
    for (const row of rows) {
      const one = items[row.ordinal - 1];
      try {
        one?.resolve(toPostingResult(row));
      } catch (defect) {
        one?.reject(defect); // the batch is committed: what is wrong with one answer is nobody else's
      }
    }
  }

  /** A shared call that fails leaves it to a call of each partner to find out why, so that no other is kept waiting by it. */
  async function settleShared(batch: Batch<Waiting>): Promise<void> {
    try {
      await call(batch.items, POST_OR_LET_GO);
      queues.end(batch);
    } catch {
      queues.putBack(batch);
    }
  }

  async function settleOwn(batch: Batch<Waiting>): Promise<void> {
    const { items } = batch;
    const [only, ...others] = items;
    try {
      await call(items);
    } catch (error) {
      if (isLockTimeout(error)) for (const one of [...items, ...queues.drain(batch)]) one.reject(error);
      else if (others.length === 0) only?.reject(error);
      else await settleEach(items);
    }
    queues.end(batch);
  }

  /**
   * One by one, so that only the posting at fault fails. If the batch was committed and its answer lost, each reference
   * answers as it did. Once the database does not answer at all, or an account stays locked, the rest are not tried.
   */
  async function settleEach(items: readonly Waiting[]): Promise<void> {
    let gaveUp: unknown;
    for (const one of items) {
      if (gaveUp !== undefined) one.reject(gaveUp);
      else
        await call([one]).catch((error: unknown) => {
          one.reject(error);
          if (!(error instanceof DatabaseError) || isLockTimeout(error)) gaveUp = error;
        });
    }
  }

  async function send(batch: Batch<Waiting>): Promise<void> {
    let isStalled = false;
    underWay += 1;
    const timer = setTimeout(() => {
      isStalled = true;
      stalled += 1;
      pump();
    }, STALL_MS);
    if (batch.partners.length > 1) await settleShared(batch);
    else await settleOwn(batch);
    clearTimeout(timer);
    underWay -= 1;
    if (isStalled) stalled -= 1;
    else if (batch.partners.length === 1) queues.rejoin(batch);
    pump();
  }

  function pump(): void {
    while (underWay - stalled < CALLS_MAX && underWay < underWayMax) {
      // Once half of what there is is taken, a partner has one call, so that there is one for others.
      const batch = queues.take(underWay < underWayMax / 2 ? PARTNER_CALLS_MAX : 1);
      if (batch === undefined) return;
      void send(batch);
    }
  }

  return {
    async post(posting) {
      const result = await new Promise<PostingResult>((resolve, reject) => {
        const partner = posting.partner ?? posting.owner;
        queues.add({ partner, posting: toJson(posting, authenticate), resolve, reject });
        pump();
      });
      return assertPosted(result);
    },
    tryPost: (tx, posting) => tryPost(tx, authenticate, posting),
  };
}
