import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Meter } from '#lib/meter.ts';

/** A finer one would wake an idle process more often. */
const RESOLUTION_MS = 20;
const NS_PER_S = 1e9;

/** Watches the event loop from here on: each scrape tells of the time since the one before. */
export function watchEventLoop(metrics: Meter): void {
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
