import type { LoadReport } from './load/load-process.ts';
import { median, type Row } from './table.ts';

/** Pairs of neighbouring slices. */
const SLICES = 9;
/** Answers after which V8 has compiled what a request runs; and how long each side is asked for them at most. */
const WARM_UP_ANSWERS = 25_000;
const WARM_UP_MS = 2_500;

/** One slice of work: so long, answered by how many in how many seconds. */
export type Slice = (ms: number) => Promise<Pick<LoadReport, 'count' | 'seconds'> & Partial<LoadReport>>;

/** The part of a distribution's values below which a share of them lies. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/**
 * Measures two things by turns in short slices, so that both see the same machine: rates are medians, their ratio is the
 * median of the ratios of neighbouring slices. Percentiles are of all slices of the first.
 *
 * @param seconds for both together, once they are warm
 */
export async function compare(
  seconds: number,
  ours: Slice,
  ceiling: Slice,
): Promise<Required<Pick<Row, 'ours' | 'ceiling' | 'ratio' | 'p50Ms' | 'p99Ms'>>> {
  for (const side of [ceiling, ours]) await warmUp(side);
  const rates: { ours: number; ceiling: number }[] = [];
  const latencies: number[] = [];
  const sliceMs = (1000 * seconds) / 2 / SLICES;
  while (rates.length < SLICES) {
    const [above, mine] = [await ceiling(sliceMs), await ours(sliceMs)];
    rates.push({ ours: mine.count / mine.seconds, ceiling: above.count / above.seconds });
    for (const one of mine.latenciesMs ?? []) latencies.push(one);
  }
  return {
    ours: median(rates.map((one) => one.ours)),
    ceiling: median(rates.map((one) => one.ceiling)),
    ratio: median(rates.map((one) => one.ours / one.ceiling)),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

async function warmUp(side: Slice): Promise<void> {
  const started = performance.now();
  let answers = 0;
  while (answers < WARM_UP_ANSWERS && performance.now() - started < WARM_UP_MS) {
    answers += (await side(WARM_UP_MS / 5)).count;
  }
}

/** Does `work` again and again for a while, by `callers` at once. */
export async function during(ms: number, callers: number, work: () => Promise<unknown>) {
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - started < ms) {
        await work();
        count += 1;
      }
    }),
  );
  return { count, seconds: (performance.now() - started) / 1000 };
}
