import type { IntegrityCheck } from '#modules/integrity';
import { exitCodes } from './command-failure.ts';
import { printChecks } from './server/answers.ts';
import type { Terminal } from './terminal.ts';
import { withResources } from './with-resources.ts';

/**
 * `paytag ledger check --database`: checks the books of the database of this installation without a server, and prints them as the
 * server's answer is printed.
 *
 * @returns the exit code
 */
export async function checkDatabase(
  { since, json }: { since?: string; json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { ok, checks } = await withResources(({ checker }) =>
    checker.check(since === undefined ? undefined : new Date(since)),
  );
  const body = { ok, checks: checks.map(toCheck) };
  if (json === true) terminal.out(`${JSON.stringify(body)}\n`);
  else printChecks(body, terminal);
  return ok ? exitCodes.done : exitCodes.refused;
}

const toCheck = ({ name, promise, violations, rows, timedOut, error }: IntegrityCheck) => {
  return { name, promise, violations, offenders: rows, timedOut, error };
};
