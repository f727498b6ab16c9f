import { expect, it } from 'vitest';
import { Registry } from '#prom-client';
import { createHistogram } from '../../../src/metrics/histogram.ts';

const opened = (labelNames: readonly string[]) => {
  const registry = new Registry();
  const histogram = createHistogram({ name: 'taken_seconds', help: 'How long it took', labelNames, bounds: [0.1, 1] });
  registry.registerMetric(histogram.metric);
  return { ...histogram, text: () => registry.metrics() };
};

it('a value counts in each bucket whose bound it does not exceed, and in the sum', async () => {
  const { series, text } = opened(['what', 'how']);
  const observe = series({ what: 'a "read"' });
  for (const value of [0.05, 0.1, 0.5, 2]) observe(value);
  series({ what: 'a write', how: 'slow' })(1);
  expect((await text()).trim().split('\n')).toEqual([
    '# HELP taken_seconds How long it took',
    '# TYPE taken_seconds histogram',
    'taken_seconds_bucket{le="0.1",what="a \\"read\\""} 2',
    'taken_seconds_bucket{le="1",what="a \\"read\\""} 3',
    'taken_seconds_bucket{le="+Inf",what="a \\"read\\""} 4',
    'taken_seconds_sum{what="a \\"read\\""} 2.65',
    'taken_seconds_count{what="a \\"read\\""} 4',
    'taken_seconds_bucket{le="0.1",what="a write",how="slow"} 0',
    'taken_seconds_bucket{le="1",what="a write",how="slow"} 1',
    'taken_seconds_bucket{le="+Inf",what="a write",how="slow"} 1',
    'taken_seconds_sum{what="a write",how="slow"} 1',
    'taken_seconds_count{what="a write",how="slow"} 1',
  ]);
});

it('without labels it is there before its first value', async () => {
  expect(await opened([]).text()).toContain('taken_seconds_count 0\n');
});
