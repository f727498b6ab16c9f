/**
 * What a label may say: one of these words, or a word that stands in our code, such as a route template. Never an id, a
 * name, an address or anything else that comes from outside: the number of series stays bounded, and none holds a secret.
 */
export type LabelWords = readonly string[] | 'word of ours';

interface Described<L> {
  /** What is measured: in `# HELP` of the scrape, and in the guide. */
  readonly help: string;
  readonly labels: L;
}
export interface CounterDefinition<L = Labels> extends Described<L> {
  readonly kind: 'counter';
}
export interface HistogramDefinition<L = Labels> extends Described<L> {
  readonly kind: 'histogram';
  readonly buckets: readonly number[];
}
export interface GaugeDefinition<L = Labels> extends Described<L> {
  readonly kind: 'gauge';
}
export type MetricDefinition = CounterDefinition | HistogramDefinition | GaugeDefinition;

type Labels = Readonly<Record<string, LabelWords>>;
type NoLabels = Readonly<Record<string, never>>;

/** A count that only grows. Its name ends with `_total`. */
export const counter = <const L extends Labels = NoLabels>(
  help: string,
  labels: L = {} as L,
): CounterDefinition<L> => ({ kind: 'counter', help, labels });

/** How something is spread: how long it took, or how large it was. */
export const histogram = <const L extends Labels = NoLabels>(
  help: string,
  buckets: readonly number[],
  labels: L = {} as L,
): HistogramDefinition<L> => ({ kind: 'histogram', help, labels, buckets });

/** What is so now. */
export const gauge = <const L extends Labels = NoLabels>(help: string, labels: L = {} as L): GaugeDefinition<L> => ({
  kind: 'gauge',
  help,
  labels,
});

/** The bounds that OpenTelemetry advises for durations of requests, in seconds. */
export const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** As above, for what is mostly quicker. */
export const STATEMENT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10];
