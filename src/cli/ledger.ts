import { Command } from 'commander';
import type { IntegrityCheck } from '#modules/integrity';
import { momentIn } from '#wire/moment.ts';
import { parseWith } from './arguments.ts';
import { addSealCommands } from './seals.ts';
import { withResources } from './with-resources.ts';

/** `paytag ledger …`: checks of the ledger, and its seals. */
export function ledgerCommand(): Command {
  const ledger = new Command('ledger').description('the ledger: every balance and every movement of money');
  ledger
    .command('check')
    .description(
      'check every invariant of the books and of what hangs on them; when one is broken, print its rows and exit with 1',
    )
    .option('--since <moment>', 'check only what is new since then', parseWith(momentIn))
    .action(async ({ since }: { since?: Date }) => {
      const { ok, checks } = await withResources(({ checker }) => checker.check(since));
      console.log(tableOf(checks));
      for (const line of checks.flatMap(offendingRowsOf)) console.log(line);
      console.log(
        ok ? 'The ledger is in order.' : 'The ledger is NOT in order: stop what moves money and find out why.',
      );
      if (!ok) process.exitCode = 1;
    });
  addSealCommands(ledger);
  return ledger;
}

const tableOf = (checks: readonly IntegrityCheck[]): string => {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.map((check) => `${check.name.padEnd(width)}  ${verdictOf(check)}`).join('\n');
};

const verdictOf = ({ violations, timedOut, error }: IntegrityCheck): string => {
  if (timedOut) return 'NOT FINISHED in its time';
  if (error !== undefined) return `NOT TOLD: ${error}`;
  return violations === 0 ? 'ok' : `BROKEN by ${violations}`;
};

/** One line for each offending row, so that the output can be searched. */
const offendingRowsOf = ({ name, rows }: IntegrityCheck): string[] =>
  rows.map((row) => `${name} ${JSON.stringify(row)}`);
