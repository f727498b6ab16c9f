import type { LabelWords, MetricDefinition } from '#lib/metric-list.ts';
import { backgroundMetrics, moneyMetrics, peopleMetrics, processMetrics, requestMetrics } from '#lib/metric-list.ts';

const sections: readonly { title: string; metrics: Readonly<Record<string, MetricDefinition>> }[] = [
  { title: 'Requests and the database', metrics: requestMetrics },
  { title: 'Money and the books', metrics: moneyMetrics },
  { title: 'People and providers', metrics: peopleMetrics },
  { title: 'Webhooks and tasks', metrics: backgroundMetrics },
  { title: 'The process', metrics: processMetrics },
];

/** Words of a label are shown where they are as few as this. */
const WORDS_MAX = 7;

/** Every metric in a Markdown table under its heading: kind, labels, what it says. */
export function metricTables(): string {
  return sections
    .map(({ title, metrics }) =>
      [
        `### ${title}`,
        '',
        '| Metric | Kind | Labels | What it says |',
        '|---|---|---|---|',
        ...Object.entries(metrics).map(
          ([name, { kind, labels, help }]) => `| \`${name}\` | ${kind} | ${labelsOf(labels)} | ${help} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

const labelsOf = (labels: Readonly<Record<string, LabelWords>>): string =>
  Object.entries(labels)
    .map(([label, words]) => {
      const few = typeof words !== 'string' && words.length <= WORDS_MAX;
      return few ? `\`${label}\` (${words.join(', ')})` : `\`${label}\``;
    })
    .join(', ');
