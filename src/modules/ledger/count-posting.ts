import type { Meter } from '#lib/meter.ts';
import { toMajor } from './money.ts';
import type { Posting } from './posting.ts';
import type { PostingResult } from './posting-result.ts';

/** Counts what became of a posting, and what it moved. */
export function countPosting(
  metrics: Meter,
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
