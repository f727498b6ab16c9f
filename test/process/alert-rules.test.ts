import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ensureInstalled } from '../support/setup/apt-install.ts';
import { firing, lasting } from './alert-series.ts';

const FOLDER = 'src/metrics/observe';
const DOCS = 'https://pay.example';

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
const run = promisify(execFile);

/** As Prometheus fills them in. */
const filled = (template: string, labels: Record<string, string>): string =>
  template
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_all, name: string) => labels[name] ?? '')
    .replaceAll('{{ $externalLabels.docs }}', DOCS);

it('each alert fires when what it tells of is so, says of whom, and is silent before; Prometheus reads the configuration', async () => {
  await ensureInstalled('prometheus', 'install Prometheus, for its promtool');
  const { groups } = parse(await readFile(`${FOLDER}/alerts.yml`, 'utf8')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(Object.keys(firing).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  const alertOf = ({ labels: given, annotations }: Rule, labels: Record<string, string>) => ({
    exp_labels: { ...given, ...labels },
    exp_annotations: Object.fromEntries(
      Object.entries(annotations).map(([name, template]) => [name, filled(template, labels)]),
    ),
  });
  const caseOf = (name: string, series: Readonly<Record<string, string>>, alert_rule_test: readonly object[]) => ({
    name,
    interval: '1m',
    external_labels: { docs: DOCS },
    input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
    alert_rule_test,
  });
  const tests = rules.flatMap((rule) => {
    const { alert: alertname } = rule;
    const { series, labels = {}, at = '30m' } = firing[alertname] ?? { series: {} };
    const first = caseOf(alertname, series, [
      { eval_time: '2m', alertname, exp_alerts: [] },
      { eval_time: at, alertname, exp_alerts: [alertOf(rule, labels)] },
    ]);
    const others = lasting
      .filter(({ alert }) => alert === alertname)
      .map((one) =>
        caseOf(`${alertname}: ${one.what}`, one.series, [
          ...one.silentAt.map((eval_time) => ({ eval_time, alertname, exp_alerts: [] })),
          ...(one.firesAt === undefined
            ? []
            : [{ eval_time: one.firesAt, alertname, exp_alerts: [alertOf(rule, {})] }]),
        ]),
      );
    return [first, ...others];
  });
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-rules-'));
  try {
    await cp(FOLDER, folder, { recursive: true });
    const file = join(folder, 'tests.json');
    await writeFile(file, JSON.stringify({ rule_files: ['alerts.yml'], evaluation_interval: '1m', tests }));
    const tested = await run('promtool', ['test', 'rules', file]).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    expect(tested.stderr).toBe('');
    expect(tested.stdout).toContain('SUCCESS');
    const checked = await run('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
    expect(checked.stdout).toContain('is valid prometheus config file syntax');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
