import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import type { IntegrityCheck } from '#modules/proof';
import { exportSeals, type Finding, sealDue, verifySeals } from '#modules/proof';
import { printChecks } from './server/answers.ts';
import { exitCodes, parseWith, type Terminal } from './terminal.ts';
import { withResources } from './with-resources.ts';

/**
 * `paytag ledger check --database`: checks the books of this installation's database without a server, and prints the result as a
 * server's; with `--whole` everything, however long it takes.
 *
 * @returns the exit code
 */
export async function checkDatabase(
  { since, whole, json }: { since?: string; whole?: boolean; json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { ok, checks } = await withResources(({ checker }) =>
    checker.check(since === undefined ? undefined : new Date(since), { isUnbounded: whole === true }),
  );
  const body = { ok, checks: checks.map(toCheck) };
  if (json === true) terminal.out(`${JSON.stringify(body)}\n`);
  else printChecks(body, terminal);
  return ok ? exitCodes.done : exitCodes.refused;
}

const toCheck = ({ name, promise, violations, rows, timedOut, remembered, error }: IntegrityCheck) => {
  const months = remembered && { months: remembered.slices, since: remembered.since };
  return { name, promise, violations, offenders: rows, timedOut, remembered: months, error };
};

/** `paytag ledger seal …` and `paytag ledger seals`. */
export function addSealCommands(ledger: Command): void {
  const seal = ledger
    .command('seal')
    .description('seal each due hour and day of the books, and print the seals, one a line')
    .action(async () => {
      for (const one of await withResources(sealDue)) console.log(JSON.stringify(one));
    });
  seal
    .command('verify')
    .description('compare the books with a copy of their seals; print each difference and exit with 1')
    .argument('<file>', 'the copy, one seal a line: of ledger seal, of ledger seals, or of the log')
    .action(async (file: string) => {
      const copy = sealsIn(await readFile(file, 'utf8'));
      if (copy.length === 0) throw new Error(`${file} holds no seals: keep what "paytag ledger seals" prints`);
      const { ok, copied, found, findings } = await withResources((resources) => verifySeals(resources, copy));
      for (const finding of findings) console.log(lineOf(finding));
      console.log(
        ok
          ? `The books are as they were sealed: ${found} seals in the database, ${copied} in the copy.`
          : 'The books are NOT as they were sealed: keep the database unchanged, and find out who changed it.',
      );
      if (!ok) process.exitCode = 1;
    });
  ledger
    .command('seals')
    .description('print every seal, one a line, oldest first: keep them where no operator of this database can write')
    .option('--from <number>', 'the first one to print', parseWith(z.coerce.number().int().positive()), 1)
    .action(async ({ from }: { from: number }) => {
      await withResources(async ({ db }) => {
        for await (const one of exportSeals(db, from)) console.log(JSON.stringify(one));
      });
    });
}

/** The seals in a file: lines that are one, and lines of JSON with a member `seal`, which those of our log are. */
export function sealsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => (line.startsWith('{') ? sealOf(line) : line.trim()))
    .filter((line) => line !== '');
}

function sealOf(line: string): string {
  const parsed: unknown = JSON.parse(line);
  const { success, data } = z.object({ seal: z.string() }).safeParse(parsed);
  return success ? data.seal : '';
}

const lineOf = ({ seal, period, what }: Finding): string =>
  seal === undefined ? what : `seal ${seal} (${period}): ${what}`;
