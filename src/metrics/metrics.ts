import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type GaugeName, type Meter, type MetricName, metricList, type Reading } from '#lib/meter.ts';
import type { LabelWords } from '#lib/metric-list.ts';
import { securityEvents } from '#lib/security-events.ts';

/** A finer one would wake an idle process more often. */
const RESOLUTION_MS = 20;
const NS_PER_S = 1e9;

/** Watches the event loop from now on: each scrape covers the time since the previous one. */
function watchEventLoop(metrics: Meter): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  const late = (ns: number) => [
    { labels: {}, value: Number.isFinite(ns) ? Math.max(0, ns / NS_PER_S - RESOLUTION_MS / 1000) : 0 },
  ];
  metrics.watch('nodejs_eventloop_delay_p50_seconds', () => late(delay.percentile(50)));
  metrics.watch('nodejs_eventloop_delay_p99_seconds', () => late(delay.percentile(99)));
  metrics.watch('nodejs_eventloop_delay_max_seconds', () => {
    const worst = late(delay.max);
    delay.reset(); // read last
    return worst;
  });
  metrics.watch('nodejs_eventloop_utilization_ratio', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return [{ labels: {}, value: Number.isFinite(utilization) ? utilization : 0 }];
  });
}

/** The metrics of this process. */
export interface Metrics extends Meter {
  /** Forgets the values of gauges whose source does not answer: a gauge without labels says NaN. */
  unknown(names: readonly GaugeName[]): void;
  /** All metrics in Prometheus' text format. */
  expose(): Promise<{ contentType: string; text: string }>;
}

type Words = Record<string, string>;

/** Makes metrics in a registry of their own, so that several servers can run in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const gauges = new Map<string, Gauge>();
  const watched = new Map<GaugeName, (() => readonly Reading[])[]>();
  let hasDefaults = false;

  for (const [name, { kind, help, labels, ...more }] of Object.entries(metricList)) {
    const given = { name, help, labelNames: Object.keys(labels), registers: [registry] };
    if (kind === 'counter') counters.set(name, new Counter(given));
    else if (kind === 'gauge') gauges.set(name, new Gauge(given));
    else
      histograms.set(name, new Histogram({ ...given, buckets: [...(more as { buckets: readonly number[] }).buckets] }));
  }
  // Counters start at 0, so that the first event is an increase.
  for (const [name, one] of counters)
    for (const words of combinations(metricList[name as MetricName].labels)) one.inc(words, 0);
  for (const event of Object.keys(securityEvents)) counters.get('paytag_security_events_total')?.inc({ event }, 0);

  /** Caches the series of each metric by its labels. */
  const children = new Map<string, Map<string, unknown>>();
  function child<Child>(name: MetricName, labels: object, make: (words: Words) => Child): Child {
    let known = children.get(name);
    if (known === undefined) children.set(name, (known = new Map()));
    let key = '';
    for (const label in metricList[name].labels) key += `${(labels as Words)[label] ?? ''}\n`;
    let found = known.get(key) as Child | undefined;
    if (found === undefined) known.set(key, (found = make(wordsOf(labels))));
    return found;
  }
  const observerOf: Meter['observer'] = (name, labels) =>
    child(name, labels, (words) => {
      const series = metricOf(histograms, name).labels(words);
      return (value) => series.observe(value);
    });

  return {
    add: (name, labels, by = 1) => child(name, labels, (words) => metricOf(counters, name).labels(words)).inc(by),
    observe: (name, labels, value) => observerOf(name, labels)(value),
    observer: observerOf,
    set: (name, labels, value) => gauges.get(name)?.set(wordsOf(labels), value),
    watch: (name, read) => void watched.set(name, [...(watched.get(name) ?? []), read]),
    unknown(names) {
      for (const name of names) {
        gauges.get(name)?.reset();
        if (Object.keys(metricList[name].labels).length === 0) gauges.get(name)?.set(Number.NaN);
      }
    },
    async expose() {
      if (!hasDefaults) collectDefaultMetrics({ register: registry }); // at the first scrape: their observers run all the time
      if (!hasDefaults) watchEventLoop(this);
      hasDefaults = true;
      for (const [name, reads] of watched) {
        const one = gauges.get(name);
        one?.reset();
        for (const { labels, value } of reads.flatMap((read) => read())) one?.inc(wordsOf(labels), value);
      }
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function metricOf<Kind>(metrics: ReadonlyMap<string, Kind>, name: MetricName): Kind {
  const found = metrics.get(name);
  if (found === undefined) throw new Error(`there is no metric ${name}`);
  return found;
}

const wordsOf = (labels: object): Words =>
  Object.fromEntries(Object.entries(labels).filter(([, word]) => word !== undefined));

/** Every combination of labels whose words are all listed; none where one of them is not. */
function combinations(labels: Readonly<Record<string, LabelWords>>): Words[] {
  return Object.entries(labels).reduce<Words[]>(
    (before, [label, words]) =>
      typeof words === 'string' ? [] : before.flatMap((one) => words.map((word) => ({ ...one, [label]: word }))),
    [{}],
  );
}
