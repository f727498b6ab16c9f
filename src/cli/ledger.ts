import { Command } from 'commander';
import { checkIntegrity, type IntegrityCheck } from '#modules/ledger';
import { withResources } from './with-resources.ts';

/** `paytag ledger …`: what can be asked of the books. */
export function ledgerCommand(): Command {
  const ledger = new Command('ledger').description('the books');
  ledger
    .command('check')
    .description('prove every invariant of the books; exit code 1 when one is broken, with the rows that offend')
    .action(async () => {
      const { ok, checks } = await withResources(({ db }) => checkIntegrity(db));
      console.log(tableOf(checks));
      for (const line of checks.flatMap(offendersOf)) console.log(line);
      console.log(
        ok ? 'The books are in order.' : 'The books are NOT in order: stop what moves money and find out why.',
      );
      if (!ok) process.exitCode = 1;
    });
  return ledger;
}

const tableOf = (checks: readonly IntegrityCheck[]): string => {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, violations }) => `${name.padEnd(width)}  ${violations === 0 ? 'ok' : `BROKEN by ${violations}`}`)
    .join('\n');
};

/** One row a line, so that it can be searched. */
const offendersOf = ({ name, rows }: IntegrityCheck): string[] => rows.map((row) => `${name} ${JSON.stringify(row)}`);
