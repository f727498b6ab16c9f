import { Command } from 'commander';
import { checkIntegrity, type IntegrityCheck } from '#modules/ledger';
import { addSealCommands } from './seals.ts';
import { withResources } from './with-resources.ts';

/** `paytag ledger …`: checks of the ledger, and its seals. */
export function ledgerCommand(): Command {
  const ledger = new Command('ledger').description('the ledger: every balance and every movement of money');
  ledger
    .command('check')
    .description('check every invariant of the ledger; when one is broken, print its rows and exit with 1')
    .action(async () => {
      const { ok, checks } = await withResources(({ db }) => checkIntegrity(db));
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
  return checks
    .map(({ name, violations }) => `${name.padEnd(width)}  ${violations === 0 ? 'ok' : `BROKEN by ${violations}`}`)
    .join('\n');
};

/** One line for each offending row, so that the output can be searched. */
const offendingRowsOf = ({ name, rows }: IntegrityCheck): string[] =>
  rows.map((row) => `${name} ${JSON.stringify(row)}`);
