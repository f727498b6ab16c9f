import type { Pool } from 'pg';

export interface SealingCost {
  /** Seconds that the digests of a million postings take while nothing else runs. */
  secondsForMillion: number;
  /** Postings a second without and beside a seal. */
  alone: number;
  beside: number;
  /** Of all postings of an hour at the full rate, the share that sealing that hour costs. */
  share: number;
}

/** What sealing takes from posting, when an hour of postings at the full rate is sealed while the next hour goes on. */
export async function sealingCost(pool: Pool, post: () => Promise<number>): Promise<SealingCost> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int from ledger.transaction');
  const perPosting = (seconds: number) => seconds / (rows[0]?.count ?? Number.NaN);
  await digest(pool); // warm-up
  const quiet = await digest(pool);
  const alone = await post();
  const posted = new AbortController();
  const busy: number[] = [];
  const sealing = (async () => {
    while (!posted.signal.aborted) busy.push(await digest(pool));
  })();
  const beside = await post();
  posted.abort();
  await sealing;
  const taken = busy.reduce((sum, one) => sum + one, 0) / busy.length;
  const share = perPosting(taken) * alone * (1 - beside / alone);
  return { secondsForMillion: perPosting(quiet) * 1_000_000, alone, beside, share };
}

/** Seconds to compute what a seal says of all the postings there are. */
async function digest(pool: Pool): Promise<number> {
  const started = performance.now();
  await pool.query(`select * from seals.contents('-infinity', $1)`, [new Date(Date.now() - 1).toISOString()]);
  return (performance.now() - started) / 1000;
}
