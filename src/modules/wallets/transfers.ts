import type { Pool } from 'pg';
import { type Meter, noMeter } from '#lib/meter.ts';
import { createGatheredCalls } from '#lib/postgres/batch-calls.ts';
import {
  assertPosted,
  countPosting,
  type Posted,
  type Poster,
  type Posting,
  type PostingRow,
  toPostingResult,
} from '#modules/ledger';

/** Moves money from one customer to another. */
export interface Transfers {
  /**
   * Posts as `Poster.post` does, and records in the same database transaction whom the posting's owner has paid. What comes at
   * the same time shares it.
   *
   * @throws DomainError with the code of the refusal; BUSY when too many wait already
   */
  make(posting: Posting, payeeId: string): Promise<Posted>;
}

const TRANSFER = {
  name: 'wallets.transfer',
  columns: 'ordinal, outcome, replayed, transaction_id, created_at, entries',
  poolShare: 0.5,
  locksAccounts: true,
};

/** @param committed called after each commit: there are events */
export function createTransfers(
  pool: Pool,
  poster: Pick<Poster, 'json'>,
  committed: () => void,
  metrics: Meter = noMeter,
): Transfers {
  const call = createGatheredCalls<PostingRow>(pool, TRANSFER, committed, metrics);
  return {
    async make(posting, payeeId) {
      const member = `{"payee":${JSON.stringify(payeeId)},"posting":${poster.json(posting)}}`;
      const result = toPostingResult(await call(posting.partner ?? posting.owner, member));
      countPosting(metrics, posting, result);
      return assertPosted(result);
    },
  };
}
