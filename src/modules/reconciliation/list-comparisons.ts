import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type ComparisonFilter, type ComparisonRow, selectMatching } from './rail-store.ts';

/** Comparisons of a provider's lists with ours, the last one first. */
export async function listComparisons(
  { db }: { db: Executor },
  { limit, offset, cursor, isUncounted, ...filter }: ComparisonFilter & PageRequest<string>,
): Promise<Listed<ComparisonRow, string>> {
  return selectMatching(db, filter, { limit, offset, cursor, isUncounted });
}
