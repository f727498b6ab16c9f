import type { Metric } from 'prom-client';

type Words = Readonly<Record<string, string>>;

/** Where values of one combination of labels lie. */
interface Series {
  readonly labels: Words;
  /** Of each bucket alone; the last one is of what is above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** One value of the exposition. */
interface Sample {
  readonly metricName: string;
  readonly labels: Record<string, string | number>;
  readonly value: number;
}

/**
 * A histogram that costs next to nothing while it counts: prom-client checks and hashes the labels of each value, which takes
 * more than many a statement that is measured. Its text is made at the scrape, in the shape that prom-client's registry asks for.
 */
export interface Histogram {
  /** What takes the values of one combination of labels. */
  readonly series: (labels: Words) => (value: number) => void;
  /** For a registry of prom-client. */
  readonly metric: Metric;
}

/** @param bounds of the buckets, from the lowest on; a value is in the first that is not below it */
export function createHistogram(given: {
  name: string;
  help: string;
  labelNames: readonly string[];
  bounds: readonly number[];
}): Histogram {
  const { name, help, labelNames, bounds } = given;
  const all: Series[] = [];

  function series(labels: Words): (value: number) => void {
    const one: Series = { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
    all.push(one);
    return (value) => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] as number)) at += 1;
      (one.counts[at] as number) += 1;
      one.sum += value;
    };
  }
  if (labelNames.length === 0) series({}); // so that its first value is an increase

  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum' as const,
    values: all.flatMap(samplesOf),
  });
  function samplesOf({ labels, counts, sum }: Series): Sample[] {
    let count = 0;
    const buckets = [...bounds, '+Inf'].map((le, at) => {
      count += counts[at] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    const totals = { sum, count };
    return [
      ...buckets,
      ...(['sum', 'count'] as const).map((what) => ({
        metricName: `${name}_${what}`,
        labels: { ...labels },
        value: totals[what],
      })),
    ];
  }
  return { series, metric: { name, get } as unknown as Metric };
}
