import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ensureInstalled } from '../support/setup/apt-install.ts';
import { askedAt, firing, healthy, lasting } from './alert-series.ts';

const FOLDER = 'src/metrics/observe';
const DOCS = 'https://pay.example';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
const run = promisify(execFile);

/** As Prometheus fills them in. */
const filled = (template: string, labels: Record<string, string>): string =>
  template
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_all, name: string) => labels[name] ?? '')
    .replaceAll('{{ $externalLabels.docs }}', DOCS);

const HEALTHY_UNTIL_MIN = Math.max(...askedAt.map((at) => Number.parseInt(at, 10)));

const { groups } = parse(await readFile(`${FOLDER}/alerts.yml`, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** What an expression reads, with what it asks of the labels: names with an underscore that are no function, and `up`. */
const selectorsOf = (expr: string): string[] =>
  expr.replaceAll(/\bby \([^)]*\)/g, '').match(/\b(?:up|\w+_\w+)\b(?:\{[^}]*\})?(?!\s*\()/g) ?? [];

const caseOf = (name: string, series: Readonly<Record<string, string>>, asks: object) => ({
  name,
  interval: '1m',
  external_labels: { docs: DOCS },
  input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
  ...asks,
});

/** Has Prometheus try its rules, and says what it said; `checked` is of the whole configuration. */
async function tried(tests: readonly object[]) {
  await ensureInstalled('prometheus', 'install Prometheus, for its promtool');
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-rules-'));
  try {
    await cp(FOLDER, folder, { recursive: true });
    const file = join(folder, 'tests.json');
    await writeFile(file, JSON.stringify({ rule_files: ['alerts.yml'], evaluation_interval: '1m', tests }));
    const tested = await run('promtool', ['test', 'rules', file]).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    const checked = await run('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
    return { tested, checked };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it('each alert fires when what it tells of is so, says of whom, and is silent before; Prometheus reads the configuration', async () => {
  expect(Object.keys(firing).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  const alertOf = ({ labels: given, annotations }: Rule, labels: Record<string, string>) => ({
    exp_labels: { ...given, ...labels },
    exp_annotations: Object.fromEntries(
      Object.entries(annotations).map(([name, template]) => [name, filled(template, labels)]),
    ),
  });
  const tests = rules.flatMap((rule) => {
    const { alert: alertname } = rule;
    const { series, labels = {}, at = '30m' } = firing[alertname] ?? { series: {} };
    const first = caseOf(alertname, series, {
      alert_rule_test: [
        { eval_time: '2m', alertname, exp_alerts: [] },
        { eval_time: at, alertname, exp_alerts: [alertOf(rule, labels)] },
      ],
    });
    const others = lasting
      .filter(({ alert }) => alert === alertname)
      .map((one) =>
        caseOf(`${alertname}: ${one.what}`, one.series, {
          alert_rule_test: [
            ...one.silentAt.map((eval_time) => ({ eval_time, alertname, exp_alerts: [] })),
            ...(one.firesAt === undefined
              ? []
              : [{ eval_time: one.firesAt, alertname, exp_alerts: [alertOf(rule, {})] }]),
          ],
        }),
      );
    return [first, ...others];
  });
  const { tested, checked } = await tried(tests);
  expect(tested.stderr).toBe('');
  expect(tested.stdout).toContain('SUCCESS');
  expect(checked.stdout).toContain('is valid prometheus config file syntax');
});

it('no alert fires while all is well, however long that lasts, though everything that it reads is there', async () => {
  for (const { alert, expr, for: waits = '0m' } of rules) {
    expect([alert, selectorsOf(expr)]).not.toEqual([alert, []]);
    expect([alert, waits]).toEqual([alert, expect.stringMatching(/^\d+m$/)]);
    expect([alert, Number.parseInt(waits, 10) < HEALTHY_UNTIL_MIN]).toEqual([alert, true]);
  }
  const selectors = [...new Set(rules.flatMap(({ expr }) => selectorsOf(expr)))];
  const asks = {
    alert_rule_test: askedAt.flatMap((eval_time) =>
      rules.map(({ alert: alertname }) => ({ eval_time, alertname, exp_alerts: [] })),
    ),
    promql_expr_test: askedAt.flatMap((eval_time) =>
      selectors.map((selector) => ({
        eval_time,
        expr: `group(${selector})`,
        exp_samples: [{ labels: '{}', value: 1 }],
      })),
    ),
  };
  const { tested } = await tried([caseOf('all is well', healthy, asks)]);
  expect(tested.stderr).toBe('');
  expect(tested.stdout).toContain('SUCCESS');
});
