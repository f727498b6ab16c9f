import type { Pool } from 'pg';
import { type Meter, noMeter } from '#lib/meter.ts';
import { assertPosted, countPosting, createPostingCall, type Posted, type Poster, type Posting } from '#modules/ledger';

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

/** @param committed called after each commit: there are events */
export function createTransfers(
  pool: Pool,
  poster: Pick<Poster, 'json'>,
  committed: () => void,
  metrics: Meter = noMeter,
): Transfers {
  const call = createPostingCall(pool, { name: 'wallets.transfer', poolShare: 0.5, committed, metrics });
  return {
    async make(posting, payeeId) {
      const member = `{"payee":${JSON.stringify(payeeId)},"posting":${poster.json(posting)}}`;
      const result = await call(posting.partner ?? posting.owner, member);
      countPosting(metrics, posting, result);
      return assertPosted(result);
    },
  };
}
