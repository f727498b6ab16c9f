import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type MetricName, metricList } from '#lib/meter.ts';
import { documentAt } from '../support/documents.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}
const FOLDER = 'src/metrics/observe';
const file = parse(readFileSync(`${FOLDER}/alerts.yml`, 'utf8')) as { groups: { name: string; rules: Rule[] }[] };
const rules = file.groups.flatMap((group) => group.rules);

/** What Prometheus itself and prom-client name. */
const GIVEN = new Set([
  'up',
  'process_open_fds',
  'process_max_fds',
  'nodejs_gc_duration_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
]);
const NAME = /\b(?:paytag|http_server|db_client|nodejs|process)_[a-z0-9_]+\b/g;
const SERIES = /_(bucket|count|sum)$/;

/** The names in an expression that are neither a metric of ours, nor a series or a label of one. */
function unknownIn(expr: string): string[] {
  const labels = new Set(Object.values(metricList).flatMap((metric) => Object.keys(metric.labels)));
  return (expr.match(NAME) ?? []).filter((name) => {
    const isSeries = metricList[name.replace(SERIES, '') as MetricName]?.kind === 'histogram' && SERIES.test(name);
    const isMetric = name in metricList && metricList[name as MetricName].kind !== 'histogram';
    return !isSeries && !isMetric && !GIVEN.has(name) && !labels.has(name);
  });
}

/** Labels that an expression asks for, of a metric that has no such label. */
function unknownLabelsIn(expr: string): string[] {
  return [...expr.matchAll(/([a-z0-9_]+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) => {
    const metric = metricList[name.replace(SERIES, '') as MetricName];
    const labels = [...matchers.matchAll(/(\w+)\s*[=!]~?/g)].map(([, label = '']) => label);
    return metric === undefined
      ? []
      : labels.filter((label) => !(label in metric.labels)).map((label) => `${name}.${label}`);
  });
}

const pageOf = ({ alert }: Rule) => alert.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

test('each alert asks for metrics that there are, and has a severity', () => {
  expect(rules.length).toBeGreaterThan(20);
  for (const { alert, expr, labels } of rules) {
    expect([alert, unknownIn(expr), unknownLabelsIn(expr)]).toEqual([alert, [], []]);
    expect(['warning', 'critical']).toContain(labels.severity);
  }
});

test('each alert has a page, to which it and the guide lead; it shows the rule as it is; and there is no other page', () => {
  const pages = globSync('src/docs/operate/*.md').map((path) => basename(path, '.md'));
  expect(pages.toSorted()).toEqual(rules.map(pageOf).toSorted());
  const guide = documentAt('src/docs/observe.md').text;
  for (const rule of rules) {
    const { text } = documentAt(`src/docs/operate/${pageOf(rule)}.md`);
    expect(rule.annotations.runbook_url).toBe(`{{ $externalLabels.docs }}/docs/operate/${pageOf(rule)}`);
    expect(guide).toContain(`| [${rule.alert}](operate/${pageOf(rule)}.md) | \`${rule.labels.severity}\` |`);
    expect(text).toContain(`\`\`\`promql\n${rule.expr}\n\`\`\``);
    expect(text).toMatch(/^## What to look at\n\n- [^]+^## What to do\n\n- /m);
    const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
    expect([rule.alert, quoted.flatMap(unknownIn).filter((name) => !(name in metricList))]).toEqual([rule.alert, []]);
  }
});

test('each panel of each dashboard asks for metrics that there are', () => {
  const boards = globSync(`${FOLDER}/grafana/dashboards/*.json`);
  expect(boards.map((path) => basename(path, '.json')).toSorted()).toEqual(['deliveries', 'health', 'money']);
  for (const path of boards) {
    const { panels } = JSON.parse(readFileSync(path, 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    expect(panels.length).toBeGreaterThan(6);
    for (const { title, targets } of panels) {
      for (const { expr } of targets) expect([title, unknownIn(expr), unknownLabelsIn(expr)]).toEqual([title, [], []]);
    }
  }
});
