import type { CounterDefinition, GaugeDefinition, HistogramDefinition } from './metric-list.ts';
import { backgroundMetrics, moneyMetrics, peopleMetrics, processMetrics, requestMetrics } from './metric-list.ts';

/** Every metric of ours, by its name in Prometheus; the guide's table is made of them. A new one is a line in one of these lists. */
export const metricList = {
  ...requestMetrics,
  ...moneyMetrics,
  ...peopleMetrics,
  ...backgroundMetrics,
  ...processMetrics,
};

type List = typeof metricList;
type NamesOf<Kind> = { [Name in keyof List]: List[Name] extends Kind ? Name : never }[keyof List];
export type CounterName = NamesOf<CounterDefinition<object>>;
export type HistogramName = NamesOf<HistogramDefinition<object>>;
export type GaugeName = NamesOf<GaugeDefinition<object>>;
export type MetricName = keyof List;

/** The labels of a metric, each with one of its words; one that is not known is left out. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof List[Name]['labels']]: List[Name]['labels'][Label] extends readonly (infer Word)[]
    ? Word | undefined
    : string | undefined;
};

/** A value of a gauge. */
export interface Reading<Name extends GaugeName = GaugeName> {
  readonly labels: LabelsOf<Name>;
  readonly value: number;
}

/** Records measurements: `metrics.add('paytag_logins_total', { outcome: 'ok' })`. */
export interface Meter {
  /** Adds to a counter; 1 by default. */
  add<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** Adds a value to a histogram. */
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** The observe function of these labels, looked up once: for frequent measurements. */
  observer<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>): (value: number) => void;
  /** Sets a gauge. */
  set<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Reads a gauge at each scrape. Values of the same labels are added. */
  watch<Name extends GaugeName>(name: Name, read: () => readonly Reading<Name>[]): void;
}

/** Measures nothing: for commands, which no scrape reads. */
export const noMeter: Meter = {
  add: () => {},
  observe: () => {},
  observer: () => () => {},
  set: () => {},
  watch: () => {},
};
