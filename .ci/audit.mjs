/* oxlint-disable no-console -- a program of the command line */
// Asks the registry whether a vulnerability of severity high or critical is known in a package that we ship. Where the registry
// does not answer, this says so and passes: a check that nobody could make must not stop everybody.
import { spawnSync } from 'node:child_process';

const TIMEOUT_MS = 60_000;
const args = ['audit', '--json', '--omit=dev', '--fetch-retries=0'];
const { stdout, stderr, error } = spawnSync('npm', args, { encoding: 'utf8', timeout: TIMEOUT_MS });

function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const report = reportOf(stdout);
const counts = report.metadata?.vulnerabilities;
if (counts === undefined) {
  const why = error?.message ?? report.message ?? report.error?.summary ?? stderr.trim().split('\n').at(-1);
  console.log(`audit: the registry could not be asked, so nothing is known (${why})`);
} else {
  const serious = Object.values(report.vulnerabilities).filter(({ severity }) =>
    ['high', 'critical'].includes(severity),
  );
  for (const { name, severity, via } of serious) {
    const titles = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} (${one.url})`));
    console.error(`audit: ${name}: ${severity}: ${titles.join('; ')}`);
  }
  console.log(
    `audit: ${counts.total} known vulnerabilities in what we ship, ${serious.length} of them high or critical`,
  );
  process.exitCode = serious.length > 0 ? 1 : 0;
}
